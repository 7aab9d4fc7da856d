import type { AppRouter } from '@finhook/api/router';
import { type AnyEventType, allEventTypes, operationList } from '@finhook/contracts';
import type { AnyTRPCProcedure, inferProcedureInput, inferProcedureOutput } from '@trpc/server';
import type { CallOptions, PagePromise } from './method.ts';

// The only file that imports the contracts and the router's type. `pack-client` replaces it with generated interfaces,
// because inferring all operations from schemas slows down the compilation of applications.

export type * from '@finhook/contracts';

type Result<Output> = Output extends { data: readonly (infer Item)[]; next_cursor: string | null }
  ? PagePromise<Output, Item>
  : Promise<Output>;

// The input of a procedure that needs none may be `void`.
type Method<Input, Output> = undefined extends Input
  ? (input?: Exclude<Input, void>, options?: CallOptions) => Output
  : (input: Input, options?: CallOptions) => Output;

type MethodsOf<Record> = {
  readonly [Name in keyof Record]: Record[Name] extends AnyTRPCProcedure
    ? Method<inferProcedureInput<Record[Name]>, Result<inferProcedureOutput<Record[Name]>>>
    : MethodsOf<Record[Name]>;
};

/** A method per operation: `client.cash.balances.upsert(…)`. */
export type FinhookClient = MethodsOf<AppRouter['_def']['record']>;

export type WebhookEventType = AnyEventType;

export const webhookEventTypes: readonly WebhookEventType[] = allEventTypes;

const idsWhere = (isQuery: boolean): readonly string[] =>
  operationList.filter(({ http }) => (http.method === 'GET') === isQuery).map(({ id }) => id);

export const queries: readonly string[] = idsWhere(true);
export const mutations: readonly string[] = idsWhere(false);

export { maxBatchCalls } from '@finhook/contracts';
