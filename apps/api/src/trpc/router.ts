import { initTRPC } from '@trpc/server';
import type { FastifyReply } from 'fastify';
import { callerOf } from '../auth/caller.ts';
import { idempotencyOf } from '../http/request.ts';
import { invoke, type OperationInput } from '../operations/invoke.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import type { RouterOf } from './app-router.ts';

/** One call of a request. */
export interface CallContext {
  reply: FastifyReply;
  readInput: () => OperationInput;
}

export type ApiRouter = RouterOf<CallContext>;

const t = initTRPC.context<CallContext>().create({ isDev: false });

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
