import type { AppRouter } from '@finhook/api/router';
import { limitConcurrency } from '@finhook/client/limit-concurrency';
import type { maxBatchCalls } from '@finhook/contracts';
import type { OperationId } from '@finhook/contracts/catalogue';
import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { SessionStore } from './session-store.ts';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

type At<Tree, Path> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Tree
    ? At<Tree[Head], Rest>
    : never
  : Path extends keyof Tree
    ? Tree[Path]
    : never;

export type Input<Id extends OperationId> = At<Inputs, Id>;
export type Output<Id extends OperationId> = At<Outputs, Id>;

const URL = '/trpc';

/** The api's limit. Only its type is imported: importing the value would bundle all schemas. */
const batchCalls: typeof maxBatchCalls = 12;

/** The api counts each call of a batch towards the account's limit of 32 requests in flight. */
const CALLS_IN_FLIGHT = 2 * batchCalls;

/** Concurrent queries share a batch; each mutation is sent alone, with an idempotency key (`context.idempotencyKey`). */
export function createTrpc(
  session: Pick<SessionStore, 'current'>,
  fetchOf: typeof fetch = (...call) => fetch(...call),
): TRPCClient<AppRouter> {
  const ofSession = (): Record<string, string> => {
    const state = session.current();
    // The session id lets the service reject this page's requests after another user signed in in this browser.
    return state ? { 'x-csrf-token': state.csrf_token, 'x-session-id': state.id } : {};
  };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        // Queries that must not wait for slower ones are not batched (`context.alone`).
        condition: ({ type, context }) => type === 'query' && context['alone'] !== true,
        true: httpBatchLink({
          url: URL,
          headers: ofSession,
          maxURLLength: 4000,
          maxItems: batchCalls,
          fetch: limitConcurrency(CALLS_IN_FLIGHT, fetchOf),
        }),
        false: httpLink({
          url: URL,
          fetch: fetchOf,
          headers({ op }) {
            const key = op.context['idempotencyKey'];
            return { ...ofSession(), ...(typeof key === 'string' ? { 'idempotency-key': key } : {}) };
          },
        }),
      }),
    ],
  });
}
