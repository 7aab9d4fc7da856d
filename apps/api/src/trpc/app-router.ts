import type { Operation, Operations, Problem } from '@finhook/contracts';
import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { input, output } from 'zod';

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

/** The router's type, derived from the operations table, over what its procedures know of a request. */
export type RouterOf<Known extends object> = TRPCBuiltRouter<
  { ctx: Known; meta: object; errorShape: ErrorShape; transformer: false },
  RecordOf<Operations>
>;

/** The router as clients see it: they are typed end to end by it, and nothing else of the server reaches them. */
export type AppRouter = RouterOf<object>;
