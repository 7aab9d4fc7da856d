import { setTimeout as delay } from 'node:timers/promises';
import { type Core, openAccount, openCore } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { type Receiver, startReceiver } from '@finhook/testing';
import { expect } from 'vitest';
import { type ServiceName, type ServiceProcess, secretsKey, startService } from './service-process.ts';

/** The results of a load. */
export interface Posted {
  /** The event of each accepted post. */
  readonly events: readonly string[];
  /** Count by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Posts without a connection or a response that were repeated at another api. */
  readonly sentAgain: number;
  /** Repeated posts that the first api had executed. */
  readonly cutOff: number;
}

interface RunningApi extends ServiceProcess {
  readonly url: string;
}

/** The processes of a service. */
export const deployments = [
  { deployment: 'api and worker', services: ['api', 'worker'] },
  { deployment: 'one process', services: ['combined'] },
] as const satisfies readonly { deployment: string; services: readonly ServiceName[] }[];

/** Several api and worker processes with one database and queue, an account and a receiver. */
export interface ServiceGroup {
  readonly core: Core;
  readonly receiver: Receiver;
  readonly databaseUrl: string;
  readonly apiKey: string;
  readonly companyId: string;
  readonly apis: RunningApi[];
  readonly workers: ServiceProcess[];
  /** All that were started, in this order. */
  readonly processes: readonly ServiceProcess[];
  /** Resolves once it is ready, an api optionally on `port`. */
  start(name: ServiceName, port?: number): Promise<void>;
  /** Also creates three endpoints. */
  startAll(names: readonly ServiceName[]): Promise<void>;
  /**
   * Posts at most 100 balances a second to the apis in turn, or to the proxy at `url`, until `enough`. Each has its own
   * key, and a post without a connection or with a 503 is repeated.
   */
  post(enough: (accepted: number) => boolean, url?: string): Promise<Posted>;
  /** Compares accepted, received and recorded events once nothing is due. `mayRepeat`: attempts may have been cut off. */
  expectComplete(events: readonly string[], options?: { readonly mayRepeat: boolean }): Promise<void>;
  close(): Promise<void>;
}

const paths = ['/one', '/two', '/flaky'] as const;
const callers = 8;
const pauseMs = 80;
const options = { secretsKey, allowInsecureWebhooks: true };

// A balance post returns the event's id; a problem has none.
function eventIdOf(response: unknown): string {
  return String((response as { event_id?: string }).event_id);
}

export async function openServiceGroup(adminUrl: string, queueUrl: string): Promise<ServiceGroup> {
  const database = await createMigratedDatabase(adminUrl);
  const core = await openCore({ databaseUrl: database.url, ...options });
  const { apiKey, companyId } = await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
  const seen = new Set<string>();
  // The first attempt of each delivery to this path fails, so that some have two.
  const receiver = await startReceiver({
    respond: ({ path, headers }) => {
      const delivery = String(headers['x-service-delivery']);
      if (path !== '/flaky' || seen.has(delivery)) return {};
      seen.add(delivery);
      return { status: 500 };
    },
  });
  const apis: RunningApi[] = [];
  const workers: ServiceProcess[] = [];
  const processes: ServiceProcess[] = [];
  let posts = 0;
  const send = (url: string, path: string, body: unknown, key: string) =>
    fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
  const start = async (name: ServiceName, port?: number) => {
    const service = startService(name, { databaseUrl: database.url, queueUrl }, port);
    processes.push(service);
    const url = await service.ready;
    if (name !== 'worker') apis.push({ ...service, url });
    else workers.push(service);
  };
  const subscribe = async () => {
    for (const path of paths) {
      const body = { url: receiver.url + path, events: ['bank.balance.updated'] };
      const response = await send(apis[0]?.url ?? '', '/webhook-endpoints', body, path);
      if (response.status !== 201) throw new Error(`No endpoint was made: ${await response.text()}`);
    }
  };
  return {
    core,
    receiver,
    databaseUrl: database.url,
    apiKey,
    companyId,
    apis,
    workers,
    processes,
    start,
    startAll: async (names) => {
      await Promise.all(names.map((name) => start(name)));
      await subscribe();
    },
    post: async (enough, proxy) => {
      const events: string[] = [];
      const statuses = new Map<number, number>();
      let [sentAgain, cutOff] = [0, 0];
      const postOne = async (): Promise<void> => {
        const n = posts++;
        const as_of = new Date(Date.UTC(2000, 0, 1) + n * 86_400_000).toISOString().slice(0, 10);
        const body = { as_of, balance_cents: n, currency: 'USD' };
        for (let attempt = n; ; attempt++) {
          const url = proxy ?? apis[attempt % apis.length]?.url ?? '';
          const posted = await send(url, `/companies/${companyId}/cash/balances`, body, `post-${n}`)
            .then(async (response) => ({ response, eventId: eventIdOf(await response.json()) }))
            .catch(() => undefined);
          if (posted === undefined) {
            sentAgain += 1;
            continue;
          }
          const { response, eventId } = posted;
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          if (attempt > n && response.headers.get('idempotency-replayed') === 'true') cutOff += 1;
          if (response.status === 503) await delay(pauseMs);
          else {
            if (response.ok) events.push(eventId);
            return;
          }
        }
      };
      const call = async () => {
        while (!enough(events.length)) await Promise.all([postOne(), delay(pauseMs)]);
      };
      await Promise.all(Array.from({ length: callers }, call));
      return { events, statuses, sentAgain, cutOff };
    },
    expectComplete: (events, { mayRepeat } = { mayRepeat: false }) => expectComplete(core, receiver, events, mayRepeat),
    close: async () => {
      await Promise.all(processes.map((service) => service.kill()));
      await receiver.close();
      await core.database.close();
      await database.drop();
    },
  };
}

async function expectComplete(
  { database }: Core,
  receiver: Receiver,
  events: readonly string[],
  mayRepeat: boolean,
): Promise<void> {
  const due = () => database.query('SELECT FROM due LIMIT 1');
  await expect.poll(due, { timeout: 60_000, interval: 100 }).toEqual([]);
  const [recorded] = await database.query<{ events: number; succeeded: number; others: number; attempts: number }>(
    `SELECT (SELECT count(*)::int FROM event WHERE type = 'bank.balance.updated') AS events,
       count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
       count(*) FILTER (WHERE status <> 'succeeded')::int AS others,
       (SELECT count(*)::int FROM attempt) AS attempts FROM delivery`,
  );
  expect(recorded).toMatchObject({ events: events.length, succeeded: paths.length * events.length, others: 0 });
  const header = (name: string) => receiver.requests.map(({ path, headers }) => `${path} ${String(headers[name])}`);
  const expected = events.flatMap((event) => paths.map((path) => `${path} ${event}`));
  expect(new Set(header('webhook-id'))).toEqual(new Set(expected));
  if (mayRepeat) return;
  const attempts = receiver.requests.map(
    ({ headers }) => `${String(headers['x-service-delivery'])} ${String(headers['x-service-attempt'])}`,
  );
  expect(attempts).toHaveLength(new Set(attempts).size);
  expect(recorded?.attempts).toBe(attempts.length);
}
