import type { FieldError, Operation, Operations } from '@finhook/contracts';
import {
  initTRPC,
  type TRPCBuiltRouter,
  type TRPCDefaultErrorShape,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
} from '@trpc/server';
import type { input, output } from 'zod';
import { type Problem, ReplayedProblem } from '../http/problem.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import type { TrpcContext } from './trpc-context.ts';
import { problemOf, toTrpcError } from './trpc-error.ts';

/** What a failed procedure answers: tRPC's shape with the problem document that REST would have sent. */
export interface ErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape['data'] & { problem: Problem };
}

// An input whose fields are all optional, or that has none, may be left out.
type InputOrNothing<I> = object extends I ? I | undefined : string extends keyof I ? I | undefined : I;

interface ProcedureTypes<O extends Operation> {
  input: InputOrNothing<input<O['input']>>;
  output: output<O['output']>;
  meta: object;
}

// What REST takes in a body goes in a body here too: an address would be too short for it.
type ProcedureOf<O extends Operation> = O['http']['method'] extends 'GET'
  ? TRPCQueryProcedure<ProcedureTypes<O>>
  : TRPCMutationProcedure<ProcedureTypes<O>>;

type RecordOf<T> = { [K in keyof T]: T[K] extends Operation ? ProcedureOf<T[K]> : RecordOf<T[K]> };

/** The router's type, derived from the operations table: clients are typed end to end by it. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: TrpcContext; meta: object; errorShape: ErrorShape; transformer: false },
  RecordOf<Operations>
>;

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter({ shape, error, ctx, path }): ErrorShape {
    const problem = problemOf(error, { id: ctx?.requestId ?? '', path: `/trpc/${path ?? ''}` });
    return { ...shape, message: problem.detail, data: { ...shape.data, httpStatus: problem.status, problem } };
  },
});

// The runner validates: the parser of the procedure only hands the raw input on.
const procedure = t.procedure.input((raw: unknown) => raw);

interface Call {
  ctx: TrpcContext;
  input: unknown;
  batchIndex?: number | undefined;
}

/** The numbers of one call of a batch, with pointers into its own input. A fault of the whole body is one of each call. */
function inexactOf(all: readonly FieldError[], batchIndex: number): FieldError[] {
  const place = `/${batchIndex}`;
  return all
    .filter(({ pointer }) => pointer === '' || pointer === place || pointer.startsWith(`${place}/`))
    .map((fault) => ({ ...fault, pointer: fault.pointer.slice(place.length) }));
}

function createProcedure({ operation, authorize, run }: TableEntry) {
  async function resolve({ ctx, input: raw, batchIndex = 0 }: Call): Promise<unknown> {
    try {
      if ('refusal' in ctx.caller) throw ctx.caller.refusal;
      const { context } = ctx.caller;
      authorize(context);
      if (ctx.refusedBody) throw ctx.refusedBody.refusal;
      const { output: result, replayed } = await run({
        raw: raw ?? {},
        inexact: ctx.isBatch ? inexactOf(ctx.inexact, batchIndex) : ctx.inexact,
        context,
        path: `/trpc/${operation.id}`,
        idempotencyKey: ctx.idempotencyKey,
        fingerprint: ['trpc', JSON.stringify(raw ?? {})],
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

/** The tRPC router over the operations table: the same runner as REST, so both surfaces answer alike. */
export function createRouter(table: readonly TableEntry[]): AppRouter {
  const tree: ProcedureTree = {};
  for (const entry of table) {
    const path = entry.operation.id.split('.');
    const name = path.pop() ?? '';
    let branch = tree;
    for (const part of path) branch = descend(branch, part);
    branch[name] = createProcedure(entry);
  }
  return asAppRouter(t.router(tree));
}

function descend(tree: ProcedureTree, name: string): ProcedureTree {
  const existing = tree[name];
  if (existing && typeof existing !== 'function') return existing;
  const branch: ProcedureTree = {};
  tree[name] = branch;
  return branch;
}

// The tree was built from the table that `AppRouter` is derived from; its loop cannot be followed by types.
function asAppRouter(router: unknown): AppRouter {
  return router as AppRouter;
}
