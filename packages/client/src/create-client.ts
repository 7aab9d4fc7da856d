import { type Retry, sleep, untilAborted, type Wait, withRetries, withTimeout } from './call.ts';
import { type FinhookClient, maxBatchCalls, mutations, queries } from './contracts.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { type CallOptions, toPagePromise } from './method.ts';
import { type Call, createTransport, type Hooks } from './transport.ts';

/** The api allows an account 32 calls in flight; this leaves some to its other clients. */
const MAX_CALLS_IN_FLIGHT = 2 * maxBatchCalls;

export interface ClientOptions extends Hooks {
  /** Where the service listens, for example `https://finhook.example.com`. */
  readonly baseUrl: string;
  /** A key of the account: `sk_live_…` or `sk_test_…`. Never put one into a browser. */
  readonly apiKey: string;
  /** Milliseconds that one attempt may take, until its response is read; 30 000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Number of retries after the first attempt; 2 by default, 0 for none. */
  readonly maxRetries?: number | undefined;
  /** Used instead of the global `fetch`, for example to send through a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Before the wait for a retry. Must not throw. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

function trpcUrlOf({ baseUrl }: ClientOptions): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(
      `baseUrl must be where the service listens, like https://finhook.example.com; it is ${JSON.stringify(baseUrl)}.`,
    );
  const base = new URL(baseUrl);
  const path = base.pathname.replace(/\/+$/, '');
  if (/\/(api\/v1|trpc)$/.test(path))
    throw new TypeError(`baseUrl must be where the service listens, without ${path}: the client adds the path itself.`);
  return `${base.origin}${path}/trpc`;
}

/** Without a key, a retry would repeat the mutation. */
function assertIdempotencyKey(key: unknown): void {
  if (key === undefined || (typeof key === 'string' && key !== '')) return;
  throw new TypeError('idempotencyKey must be a string that is not empty; nothing was sent.');
}

/**
 * Retries what may succeed later; an Idempotency-Key ensures that a mutation is executed once. Up to twelve queries of the
 * same tick share a request, and at most 24 calls are in flight. Calls reject with `FinhookError`. Throws TypeError for an
 * invalid `baseUrl` or an empty `apiKey`.
 */
export function createClient(options: ClientOptions): FinhookClient {
  return createClientWith(options, sleep);
}

/** `wait` is awaited before a retry. */
export function createClientWith(options: ClientOptions, wait: Wait): FinhookClient {
  const url = trpcUrlOf(options);
  if (!options.apiKey) throw new TypeError('apiKey is empty; the service responds to nobody without one.');
  const send = createTransport({ ...options, url });
  const slots = limitConcurrency(MAX_CALLS_IN_FLIGHT, (_: string, attempt: () => Promise<unknown>) => attempt());

  async function run(target: Pick<Call, 'operation' | 'kind'>, input: unknown, given: CallOptions): Promise<unknown> {
    const { signal, maxRetries = options.maxRetries ?? 2, timeoutMs = options.timeoutMs ?? 30_000 } = given;
    assertIdempotencyKey(given.idempotencyKey);
    const needsKey = target.kind === 'mutation' && maxRetries > 0;
    const idempotencyKey = given.idempotencyKey ?? (needsKey ? crypto.randomUUID() : undefined);
    const { operation } = target;
    const attempt = () =>
      withTimeout({ operation, timeoutMs, signal }, (ends) => send({ ...target, input, idempotencyKey, signal: ends }));
    const result = withRetries({ operation, maxRetries, signal, onRetry: options.onRetry, wait }, () =>
      slots(operation, attempt),
    );
    return signal ? untilAborted(signal, result) : result;
  }

  const tree: Tree = {};
  for (const operation of mutations)
    add(tree, operation, (input, given = {}) => run({ operation, kind: 'mutation' }, input, given));
  for (const operation of queries) {
    const read = (input: object | undefined, given: CallOptions) => run({ operation, kind: 'query' }, input, given);
    add(tree, operation, (input, given = {}) =>
      toPagePromise(read(input, given), (after) => read({ ...input, after }, given)),
    );
  }
  return asClient(tree);
}

type Method = (input?: object, options?: CallOptions) => Promise<unknown>;

interface Tree {
  [name: string]: Method | Tree;
}

function add(tree: Tree, operation: string, method: Method): void {
  const path = operation.split('.');
  const name = path.pop() ?? '';
  const descend = (branch: Tree, part: string): Tree => {
    const existing = branch[part];
    if (typeof existing === 'object') return existing;
    const created: Tree = {};
    branch[part] = created;
    return created;
  };
  path.reduce(descend, tree)[name] = method;
}

function asClient(tree: unknown): FinhookClient {
  return tree as FinhookClient;
}
