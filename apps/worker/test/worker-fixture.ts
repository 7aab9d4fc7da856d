import { type Context, type Core, fullAccess, handlers, openAccount, openCore, toDeliveryQueue } from '@finhook/core';
import { migrateDatabase } from '@finhook/core/test';
import { createQueueProducer, type QueueProducer } from '@finhook/queue';
import { createLogger } from '@finhook/runtime';
import {
  createTestDatabase,
  ensureTemplate,
  postgresQueue,
  type QueueBackend,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
  type TestDatabase,
} from '@finhook/testing';
import { vi } from 'vitest';
import { createWorker, type Worker, type WorkerOptions } from '../src/create-worker.ts';
import { startWorkerProcess, type WorkerProcess, type WorkerProgram } from './worker-process.ts';

export const secretsKey = Buffer.alloc(32, 7).toString('base64');
/** In which a busy machine connects to a queue and sets it up. */
const patientMs = 20_000;
const template = 'finhook_migrated_with_queue';

/** How the deliveries of a database stand. */
interface Tally {
  accepted: number;
  terminal: number;
  succeeded: number;
  /** Not terminal, and with a row that says when they are tried. */
  scheduled: number;
  /** Held by a worker. */
  leased: number;
}

/** A migrated database with an account, a receiver, and what an API process has: a core that wakes the worker. */
export interface WorkerFixture {
  readonly core: Core;
  readonly context: Context;
  readonly companyId: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
  readonly receiver: Receiver;
  readonly producer: QueueProducer;
  /** Has a worker look at endpoints, without a cause. */
  wake(endpointIds: readonly string[]): Promise<void>;
  /** Loses every job. */
  flushQueue(): Promise<void>;
  /** Every line that the workers and the producer logged. */
  readonly logLines: readonly string[];
  /** Opens a second account. */
  openNeighbour(): Promise<{ context: Context; companyId: string }>;
  /** Creates an endpoint at this path of the receiver. */
  subscribe(path: string, events?: readonly string[]): Promise<{ id: string; secret: string; url: string }>;
  /** Posts a balance, which emits `bank.balance.updated`; each call has a day of its own. Returns the event's id. */
  post(): Promise<string>;
  postMany(count: number): Promise<string[]>;
  startWorker(options?: Partial<WorkerOptions>): Promise<Worker>;
  /** Starts a worker as a process, `quick` by default, with another way to the database if one is given. */
  startProcess(options?: WorkerProgram & { readonly databaseUrl?: string }): WorkerProcess;
  /** The requests, once there are so many. */
  received(count: number, timeoutMs?: number): Promise<readonly ReceivedRequest[]>;
  /** Those to one path so far. */
  arrivals(path: string): readonly ReceivedRequest[];
  /** Resolves when no delivery is scheduled any more. */
  settled(timeoutMs?: number): Promise<void>;
  tally(): Promise<Tally>;
  readonly query: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Kills the processes and closes the workers that it started, too. */
  close(): Promise<void>;
}

async function migrate(url: string): Promise<void> {
  await migrateDatabase(url);
  const logger = createLogger({ level: 'silent', name: 'test' });
  const queue = createQueueProducer(url, { logger, timeoutMs: patientMs });
  await queue.ping();
  await queue.close();
}

/** Opens the fixture on a database of its own at `adminUrl`, which holds the queue too unless one is given. */
export async function openWorkerFixture(
  adminUrl: string,
  ownQueue?: Pick<QueueBackend, 'url' | 'flush'>,
): Promise<WorkerFixture> {
  await ensureTemplate(adminUrl, template, migrate);
  const database: TestDatabase = await createTestDatabase(adminUrl, { template });
  const { url: queueUrl, flush: flushQueue } = ownQueue ?? postgresQueue(database.url);
  const logLines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    name: 'test',
    destination: { write: (line) => void logLines.push(line) },
  });
  const producer = createQueueProducer(queueUrl, { logger, timeoutMs: patientMs });
  await producer.ping();
  const workers: Worker[] = [];
  const processes: WorkerProcess[] = [];
  const queue = toDeliveryQueue(producer);
  // Leases of deliveries that no worker is there for would have to end first.
  const core = await openCore({
    databaseUrl: database.url,
    secretsKey,
    allowInsecureWebhooks: true,
    poolSize: 8,
    queue: { ...queue, leaseMs: () => (workers.length + processes.length > 0 ? queue.leaseMs() : 0) },
    startSync: (runId) => void producer.startSyncs([runId]).catch(() => undefined),
  });
  const receiver = await startReceiver();
  const { accountId, companyId, apiKey } = await openAccount(core, {
    name: 'Acme',
    mode: 'test',
    companyName: 'Acme Inc',
  });
  const context: Context = {
    ...core,
    database: core.database.forAccount(accountId),
    accountId,
    actor: { type: 'api_key', id: 'key_test', name: 'Test' },
    keyId: 'key_test',
    originId: 'key_test',
    personId: 'key_test',
    scope: 'human',
    access: fullAccess,
    request: { id: 'req_test', ip: '127.0.0.1' },
  };
  let posted = 0;

  const post = async () => {
    const asOf = new Date(Date.UTC(2000, 0, 1) + posted++ * 86_400_000).toISOString().slice(0, 10);
    const { event_id } = await handlers.cash.balances.upsert(context, {
      company_id: companyId,
      as_of: asOf,
      balance_cents: 1_000 + posted,
      currency: 'USD',
      source: 'test',
    });
    return event_id;
  };
  return {
    core,
    context,
    companyId,
    apiKey,
    databaseUrl: database.url,
    receiver,
    producer,
    wake: (ids) => producer.deliver({ endpoints: ids.map((id) => ({ id, accountId })) }),
    flushQueue,
    logLines,
    openNeighbour: async () => {
      const names = { name: 'Neighbour', mode: 'test', companyName: 'Neighbour Inc' } as const;
      const neighbour = await openAccount(core, names);
      const { accountId: id, companyId: company } = neighbour;
      return { context: { ...context, database: core.database.forAccount(id), accountId: id }, companyId: company };
    },
    subscribe: async (path, events = ['bank.balance.updated']) => {
      const url = receiver.url + path;
      const { id, secret } = await handlers.webhookEndpoints.create(context, { url, events: [...events] });
      return { id, secret, url };
    },
    post,
    postMany: async (count) => {
      const ids: string[] = [];
      const lane = async () => {
        while (ids.length + 8 <= count) ids.push(await post());
      };
      await Promise.all(Array.from({ length: 8 }, lane));
      while (ids.length < count) ids.push(await post());
      return ids;
    },
    startWorker: async (options = {}) => {
      const common = { databaseUrl: database.url, queueUrl, secretsKey, logger, allowInsecureWebhooks: true };
      const worker = await createWorker({ ...common, ...options });
      workers.push(worker);
      return worker;
    },
    startProcess: ({ databaseUrl = database.url, ...options } = {}) => {
      const settings = { DATABASE_URL: databaseUrl, QUEUE_URL: queueUrl, SECRETS_KEY: secretsKey };
      const started = startWorkerProcess(settings, { program: 'quick', ...options });
      processes.push(started);
      return started;
    },
    received: (count, timeoutMs = 60_000) => receiver.waitFor((requests) => requests.length >= count, { timeoutMs }),
    arrivals: (path) => receiver.requests.filter((request) => request.path === path),
    settled: (timeout = 90_000) =>
      vi.waitFor(
        async () => {
          const { scheduled } = await readTally(core);
          if (scheduled > 0) throw new Error(`${scheduled} deliveries are scheduled.`);
        },
        { timeout, interval: 200 },
      ),
    tally: () => readTally(core),
    query: core.database.query,
    close: async () => {
      await Promise.all(processes.map((started) => started.kill()));
      await receiver.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await producer.close();
      await core.database.close();
      await database.drop();
    },
  };
}

async function readTally(core: Core): Promise<Tally> {
  const [tally] = await core.database.query<Tally>(
    `SELECT count(*)::int AS accepted,
       count(*) FILTER (WHERE d.status <> 'pending')::int AS terminal,
       count(*) FILTER (WHERE d.status = 'succeeded')::int AS succeeded,
       count(*) FILTER (WHERE d.status = 'pending' AND due.delivery_id IS NOT NULL)::int AS scheduled,
       count(*) FILTER (WHERE due.lease_until > now())::int AS leased
     FROM delivery d LEFT JOIN due ON due.delivery_id = d.id`,
  );
  if (tally === undefined) throw new Error('The deliveries could not be counted.');
  return tally;
}
