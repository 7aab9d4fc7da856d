import type { AppRouter } from '@finhook/api/router';
import { maxBatchCalls } from '@finhook/contracts';
import { createTRPCClient, getFetch, httpBatchLink, httpLink, splitLink, type TRPCClient } from '@trpc/client';
import { limitConcurrency } from './limit-concurrency.ts';

/** The api allows an account 32 calls in flight; this leaves some to its other clients. */
const MAX_CALLS_IN_FLIGHT = 2 * maxBatchCalls;

export interface ClientOptions {
  /** Where the api listens, for example `https://finhook.example.com`. */
  url: string;
  /** A key of the account: `sk_live_…` or `sk_test_…`. Never put one into a browser. */
  apiKey: string;
}

export type FinhookClient = TRPCClient<AppRouter>;

/**
 * The per-call option that makes a mutation safe to retry: `{ context: { idempotencyKey: '…' } }`. tRPC does not check a
 * context, so an invalid key throws here: sent without a key, a retry would repeat the mutation.
 */
function idempotencyKeyOf(context: Record<string, unknown>): string | undefined {
  const key = context['idempotencyKey'];
  if (key === undefined || (typeof key === 'string' && key !== '')) return key;
  throw new TypeError('context.idempotencyKey must be a string that is not empty; nothing was sent.');
}

function trpcUrlOf({ url }: ClientOptions): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError(
      `url must be where the api listens, like https://finhook.example.com; it is ${JSON.stringify(url)}.`,
    );
  const base = new URL(url);
  const path = base.pathname.replace(/\/+$/, '');
  if (/\/(api\/v1|trpc)$/.test(path))
    throw new TypeError(`url must be where the api listens, without ${path}: the client adds the path itself.`);
  return `${base.origin}${path}/trpc`;
}

/**
 * Creates a typed client of the service. Queries of the same tick are batched, up to twelve in a request. Each mutation is
 * a request of its own: a batch could exceed the body limit, and one broken connection would leave all of them in doubt.
 * At most 24 calls are in flight, the others are queued. Errors have the problem document in `error.data.problem`. Throws
 * TypeError for an invalid `url` or an empty `apiKey`.
 */
export function createClient(options: ClientOptions): FinhookClient {
  const url = trpcUrlOf(options);
  if (options.apiKey === '') throw new TypeError('apiKey is empty; nothing could be asked for without one.');
  const authorization = `Bearer ${options.apiKey}`;
  const send = limitConcurrency(MAX_CALLS_IN_FLIGHT, getFetch());
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'query',
        true: httpBatchLink({
          url,
          fetch: send,
          headers: { authorization },
          maxURLLength: 4000,
          maxItems: maxBatchCalls,
        }),
        false: httpLink({
          url,
          fetch: send,
          headers({ op }) {
            const key = idempotencyKeyOf(op.context);
            return key === undefined ? { authorization } : { authorization, 'idempotency-key': key };
          },
        }),
      }),
    ],
  });
}
