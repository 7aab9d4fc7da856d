import { maskText } from '@finhook/runtime';
import { initTRPC, TRPCError } from '@trpc/server';
import type { FastifyReply } from 'fastify';
import { callerOf } from '../auth/caller.ts';
import { problemOf } from '../http/problem.ts';
import { idempotencyOf } from '../http/request.ts';
import { invoke, type OperationInput } from '../operations/invoke.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import type { ErrorShape, RouterOf } from './app-router.ts';

/** One call of a request. */
export interface CallContext {
  reply: FastifyReply;
  readInput: () => OperationInput;
}

export type ApiRouter = RouterOf<CallContext>;

const t = initTRPC.context<CallContext>().create({
  isDev: false,
  errorFormatter({ shape, error, ctx, path }): ErrorShape {
    const problem = problemOf(error.cause ?? error, {
      id: ctx?.reply.request.id ?? '',
      path: `/trpc/${path ?? ''}`,
    });
    const { code } = shape.data;
    return {
      code: shape.code,
      message: problem.detail,
      data: { code, httpStatus: problem.status, path: maskText(path ?? ''), problem },
    };
  },
});

const codeOfStatus: Readonly<Record<number, TRPCError['code']>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  // tRPC has no code for 421.
  421: 'PRECONDITION_FAILED',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** `status` is that of the error's problem. */
export function toTrpcError(cause: unknown, status: number): TRPCError {
  return new TRPCError({ code: codeOfStatus[status] ?? 'INTERNAL_SERVER_ERROR', cause });
}

// `invoke` reads and validates the input after it has checked the caller's access.
function createProcedure(entry: TableEntry) {
  const { id, http } = entry.operation;
  const resolve = async ({ ctx: { reply, readInput } }: { ctx: CallContext }): Promise<unknown> =>
    invoke(entry, readInput, { context: callerOf(reply.request), path: `/trpc/${id}`, ...idempotencyOf(reply) });
  return http.method === 'GET' ? t.procedure.query(resolve) : t.procedure.mutation(resolve);
}

type ProcedureTree = { [name: string]: ReturnType<typeof createProcedure> | ProcedureTree };

export function createRouter(table: readonly TableEntry[]): ApiRouter {
  const tree: ProcedureTree = {};
  for (const entry of table) {
    const path = entry.operation.id.split('.');
    const name = path.pop() ?? '';
    let branch = tree;
    for (const part of path) branch = descend(branch, part);
    branch[name] = createProcedure(entry);
  }
  return asApiRouter(t.router(tree));
}

function descend(tree: ProcedureTree, name: string): ProcedureTree {
  const existing = tree[name];
  if (existing && typeof existing !== 'function') return existing;
  const branch: ProcedureTree = {};
  tree[name] = branch;
  return branch;
}

// The tree is built in a loop from the table that its type is derived from.
function asApiRouter(router: unknown): ApiRouter {
  return router as ApiRouter;
}
