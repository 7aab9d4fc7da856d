import type { AppRouter } from '@finhook/api/router';
import { maxBatchCalls } from '@finhook/contracts';
import { createTRPCClient, getFetch, httpBatchLink, httpLink, splitLink, type TRPCClient } from '@trpc/client';
import { limitConcurrency } from './limit-concurrency.ts';

/** Of the 32 calls that the api lets an account have under way, what leaves others of it room. */
const CALLS_UNDER_WAY = 2 * maxBatchCalls;

export interface ClientOptions {
  /** Where the api listens, for example `https://finhook.example.com`. */
  url: string;
  /** A key of the account: `sk_live_…` or `sk_test_…`. Never put one into a browser. */
  apiKey: string;
}

/** Every procedure of the service, typed from its input to its output. */
export type FinhookClient = TRPCClient<AppRouter>;

/**
 * The per-call option that makes a mutation safe to repeat: `{ context: { idempotencyKey: '…' } }`. tRPC takes anything
 * in a context, so what can be no key is refused here: sent without one, a repeat would do everything twice.
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
 * A typed client of the service. Queries made in the same tick travel together, twelve in a request. Each mutation has a
 * request of its own: together they could be larger than a body may be, and one broken connection would leave all of them
 * in doubt. Of many calls at once 24 are under way and the others wait for their turn, so that a hundred of them are not
 * refused. Failures carry the problem document in `error.data.problem`. Throws TypeError where `url` is no place of an api
 * or `apiKey` is empty.
 */
export function createClient(options: ClientOptions): FinhookClient {
  const url = trpcUrlOf(options);
  if (options.apiKey === '') throw new TypeError('apiKey is empty; nothing could be asked for without one.');
  const authorization = `Bearer ${options.apiKey}`;
  const send = limitConcurrency(CALLS_UNDER_WAY, getFetch());
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
