import type { FieldError } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import { maskStrings } from '@finhook/runtime';
import { initTRPC } from '@trpc/server';
import { ReplayedProblem } from '../http/problem.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import type { ErrorShape, RouterOf } from './app-router.ts';
import { problemOf, toTrpcError } from './trpc-error.ts';

export interface TrpcContext {
  requestId: string;
  /** The caller, authenticated before the body is read, or the error that each procedure throws. */
  caller: { context: Context } | { error: unknown };
  /** The error of reading the body, thrown after the scope check. */
  bodyError: { error: unknown } | undefined;
  idempotencyKey: string | undefined;
  /** Called if the response is the stored one of an earlier request with the same Idempotency-Key. */
  onReplay: () => void;
  inexact: readonly FieldError[];
  isBatch: boolean;
}

export type ApiRouter = RouterOf<TrpcContext>;

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter({ shape, error, ctx, path }): ErrorShape {
    const problem = problemOf(error, { id: ctx?.requestId ?? '', path: `/trpc/${path ?? ''}` });
    return {
      ...shape,
      message: problem.detail,
      data: { ...maskStrings(shape.data), httpStatus: problem.status, problem },
    };
  },
});

// The runner validates; the procedure passes the raw input on.
const procedure = t.procedure.input((raw: unknown) => raw);

interface Call {
  ctx: TrpcContext;
  input: unknown;
  batchIndex?: number | undefined;
}

/**
 * The rounded numbers of one call of a batch, with pointers into its input. Those of the whole body belong to each
 * call.
 */
function inexactOf(all: readonly FieldError[], batchIndex: number): FieldError[] {
  const place = `/${batchIndex}`;
  return all
    .filter(({ pointer }) => pointer === '' || pointer === place || pointer.startsWith(`${place}/`))
    .map((error) => ({ ...error, pointer: error.pointer.slice(place.length) }));
}

function createProcedure({ operation, authorize, run }: TableEntry) {
  async function resolve({ ctx, input: raw, batchIndex = 0 }: Call): Promise<unknown> {
    try {
      if ('error' in ctx.caller) throw ctx.caller.error;
      const { context } = ctx.caller;
      authorize(context);
      if (ctx.bodyError) throw ctx.bodyError.error;
      const { output: result, replayed } = await run({
        raw: raw ?? {},
        inexact: ctx.isBatch ? inexactOf(ctx.inexact, batchIndex) : ctx.inexact,
        context,
        path: `/trpc/${operation.id}`,
        idempotencyKey: ctx.idempotencyKey,
        fingerprint: ctx.idempotencyKey === undefined ? [] : ['trpc', JSON.stringify(raw ?? {})],
      });
      if (replayed) ctx.onReplay();
      return result;
    } catch (error) {
      if (error instanceof ReplayedProblem) ctx.onReplay();
      throw toTrpcError(error);
    }
  }
  return operation.http.method === 'GET' ? procedure.query(resolve) : procedure.mutation(resolve);
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
