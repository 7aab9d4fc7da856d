import type { Operation, Operations, Problem } from '@finhook/contracts';
import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { input, output } from 'zod';

export interface ErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape['data'] & { problem: Problem };
}

// An input without required fields may be omitted.
type InputOrNothing<I> = object extends I ? I | undefined : string extends keyof I ? I | undefined : I;

interface ProcedureTypes<O extends Operation> {
  input: InputOrNothing<input<O['input']>>;
  output: output<O['output']>;
  meta: object;
}

// A query whose REST route is a POST is a mutation here: its input may be too long for a URL.
type ProcedureOf<O extends Operation> = O['http']['method'] extends 'GET'
  ? TRPCQueryProcedure<ProcedureTypes<O>>
  : TRPCMutationProcedure<ProcedureTypes<O>>;

type RecordOf<T> = { [K in keyof T]: T[K] extends Operation ? ProcedureOf<T[K]> : RecordOf<T[K]> };

export type RouterOf<Known extends object> = TRPCBuiltRouter<
  { ctx: Known; meta: object; errorShape: ErrorShape; transformer: false },
  RecordOf<Operations>
>;

export type AppRouter = RouterOf<object>;
