import { jobNames, type operations } from '@finhook/contracts';
import {
  type Context,
  type Core,
  findDueEndpoints,
  fullAccess,
  handlers,
  type OutputOf,
  openAccount,
  openCore,
  toDeliveryQueue,
} from '@finhook/core';
import { migrateDatabase } from '@finhook/core/test';
import { createQueueProducer, type QueueProducer } from '@finhook/queue';
import { createLogger, type Logger } from '@finhook/runtime';
import {
  createTestDatabase,
  ensureTemplate,
  postgresQueue,
  type QueueBackend,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
  withClient,
} from '@finhook/testing';
import { vi } from 'vitest';
import { createWorker, type Worker, type WorkerOptions } from '../src/create-worker.ts';
import { quickTiming } from './quick-timing.ts';
import { startWorkerProcess, type WorkerProcess, type WorkerProgram } from './worker-process.ts';

export const secretsKey = Buffer.alloc(32, 7).toString('base64');
/** Deadline for setting up a queue on a busy machine. */
const setUpMs = 20_000;
const template = 'finhook_migrated_with_queue';

export type EndpointInput = Parameters<typeof handlers.webhookEndpoints.create>[1];
type EndpointChange = Omit<Parameters<typeof handlers.webhookEndpoints.update>[1], 'endpoint_id'>;
type Endpoint = OutputOf<typeof operations.webhookEndpoints.get>;
type Delivery = OutputOf<typeof operations.deliveries.get>;

interface Tally {
  accepted: number;
  terminal: number;
  succeeded: number;
  /** Not terminal, with a row in `due`. */
  scheduled: number;
  leased: number;
}

/** An account, a receiver, and the core of an api process. */
export interface WorkerFixture {
  readonly core: Core;
  readonly context: Context;
  readonly companyId: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
  readonly receiver: Receiver;
  readonly producer: QueueProducer;
  /** Makes a worker claim from these endpoints. */
  wake(endpointIds: readonly string[]): Promise<void>;
  /** Deletes all jobs. While no process adds jobs, it resolves once there is none. */
  flushQueue(): Promise<void>;
  /** Log lines of the workers and the producer. */
  readonly logLines: readonly string[];
  openNeighbour(): Promise<{ context: Context; companyId: string }>;
  /** Creates an endpoint at this path of the receiver, by default for `bank.balance.updated`. */
  subscribe(path: string, options?: Partial<EndpointInput>): ReturnType<typeof handlers.webhookEndpoints.create>;
  readEndpoint(id: string): Promise<Endpoint>;
  updateEndpoint(id: string, change: EndpointChange): Promise<Endpoint>;
  /** Ends the waits of an endpoint and its deliveries: retries, a pause, a probe. */
  endWaits(id: string): Promise<void>;
  /** With their attempts, oldest first. */
  deliveriesTo(endpointId: string): Promise<Delivery[]>;
  /** Posts a balance of another day, which emits `bank.balance.updated`. Returns the event's id. */
  post(): Promise<string>;
  postMany(count: number): Promise<string[]>;
  /** With `quickTiming` by default. */
  startWorker(options?: Partial<WorkerOptions>): Promise<Worker>;
  /** Starts a worker process, `quick` by default. */
  startProcess(options?: WorkerProgram & { readonly databaseUrl?: string }): WorkerProcess;
  /** Resolves with the requests once there are `count`. */
  received(count: number, timeoutMs?: number): Promise<readonly ReceivedRequest[]>;
  arrivals(path: string): readonly ReceivedRequest[];
  /** Resolves when no delivery is due or leased, and the worker has stored all results. */
  drain(worker: Worker): Promise<void>;
  /** Resolves when no delivery is scheduled. */
  settled(timeoutMs?: number): Promise<void>;
  tally(): Promise<Tally>;
  readonly query: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Also kills its processes and closes its workers. */
  close(): Promise<void>;
}

async function migrate(url: string): Promise<void> {
  await migrateDatabase(url);
  const logger = createLogger({ level: 'silent', name: 'test' });
  const queue = createQueueProducer(url, { logger, timeoutMs: setUpMs });
  await queue.ping();
  await queue.close();
}

/** A database with the core and the producer of an api process, used by one fixture after the other. */
export interface WorkerStores {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly flushQueue: () => Promise<void>;
  readonly core: Core;
  readonly producer: QueueProducer;
  readonly logger: Logger;
  /** Log lines of the current fixture. */
  readonly logLines: string[];
  /** Started by the current fixture. */
  readonly running: { readonly workers: Worker[]; readonly processes: WorkerProcess[] };
  close(): Promise<void>;
}

/** Creates a database at `adminUrl`, which also holds the queue unless `ownQueue` is given. */
export async function openWorkerStores(
  adminUrl: string,
  ownQueue?: Pick<QueueBackend, 'url' | 'flush'>,
): Promise<WorkerStores> {
  await ensureTemplate(adminUrl, template, migrate);
  const database = await createTestDatabase(adminUrl, { template });
  const { url: queueUrl, flush: flushQueue } = ownQueue ?? postgresQueue(database.url);
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ level: 'debug', name: 'test', destination });
  const producer = createQueueProducer(queueUrl, { logger, timeoutMs: setUpMs });
  await producer.ping();
  const running = { workers: [], processes: [] };
  const isServed = () => running.workers.length + running.processes.length > 0;
  const opened = await openCore({
    databaseUrl: database.url,
    secretsKey,
    allowInsecureWebhooks: true,
    poolSize: 8,
    jobs: {
      startSync: (runId) => void producer.startSyncs([runId]).catch(() => undefined),
      startMaintenance: (task) => void producer.startMaintenance(task).catch(() => undefined),
    },
  });
  const queue = toDeliveryQueue(producer, opened.secrets);
  // Without a worker, hand-offs would be lost and their leases would have to end first.
  const core: Core = { ...opened, queue: { ...queue, leaseMs: (id) => (isServed() ? queue.leaseMs(id) : 0) } };
  return {
    databaseUrl: database.url,
    queueUrl,
    flushQueue,
    core,
    producer,
    logger,
    logLines,
    running,
    close: async () => {
      await producer.close();
      await core.database.close();
      await database.drop();
    },
  };
}

const leftovers = `due attempt delivery event replay_open replay endpoint_flow webhook_endpoint service_process
  sync_run bank_transaction bank_connection`.split(/\s+/);
const forget = ['SET session_replication_role = replica', ...leftovers.map((table) => `DELETE FROM ${table}`)].join(
  ';',
);

/** Empties the stores of what earlier fixtures left. */
export async function openWorkerFixture(stores: WorkerStores): Promise<WorkerFixture> {
  const { core, producer, databaseUrl, queueUrl, flushQueue, logger, logLines, running } = stores;
  const { workers, processes } = running;
  logLines.length = 0;
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
  const { query } = core.database;
  const wake = (ids: readonly string[]) => producer.deliver({ endpoints: ids.map((id) => ({ id, accountId })) });
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
    databaseUrl,
    receiver,
    producer,
    wake,
    flushQueue: async () => {
      await flushQueue();
      if (workers.length + processes.length > 0) return;
      await vi.waitFor(() => expectNoJob(stores), { timeout: setUpMs, interval: 50 });
    },
    logLines,
    openNeighbour: async () => {
      const names = { name: 'Neighbour', mode: 'test', companyName: 'Neighbour Inc' } as const;
      const neighbour = await openAccount(core, names);
      const { accountId: id, companyId: company } = neighbour;
      return { context: { ...context, database: core.database.forAccount(id), accountId: id }, companyId: company };
    },
    subscribe: (path, options = {}) => {
      const url = receiver.url + path;
      return handlers.webhookEndpoints.create(context, { url, events: ['bank.balance.updated'], ...options });
    },
    readEndpoint: (endpoint_id) => handlers.webhookEndpoints.get(context, { endpoint_id }),
    updateEndpoint: (endpoint_id, change) => handlers.webhookEndpoints.update(context, { endpoint_id, ...change }),
    endWaits: async (id) => {
      const columns = 'due_at = now(), next_attempt_at = now()';
      await query(`UPDATE due SET ${columns} WHERE endpoint_id = $1 AND lease_token IS NULL`, [id]);
      await query('UPDATE webhook_endpoint SET hold_until = now(), next_probe_at = now() WHERE id = $1', [id]);
      await wake([id]);
    },
    deliveriesTo: async (endpoint_id) => {
      const { data } = await handlers.deliveries.list(context, { limit: 200, order: 'asc', endpoint_id });
      return Promise.all(data.map(({ id }) => handlers.deliveries.get(context, { delivery_id: id })));
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
      const insecure = { logger, allowInsecureWebhooks: true, timing: quickTiming };
      const common = { databaseUrl, queueUrl, secretsKey, ...insecure };
      const worker = await createWorker({ ...common, ...options });
      workers.push(worker);
      return worker;
    },
    startProcess: ({ databaseUrl: url = databaseUrl, ...options } = {}) => {
      const settings = { DATABASE_URL: url, QUEUE_URL: queueUrl, SECRETS_KEY: secretsKey };
      const started = startWorkerProcess(settings, { program: 'quick', ...options });
      processes.push(started);
      return started;
    },
    received: (count, timeoutMs = 60_000) => receiver.waitFor((requests) => requests.length >= count, { timeoutMs }),
    arrivals: (path) => receiver.requests.filter((request) => request.path === path),
    drain: (worker) =>
      vi.waitFor(
        async () => {
          const due = await findDueEndpoints(core, 0);
          if (due.length > 0) await producer.deliver({ endpoints: due });
          const [row] = await query<{ leased: boolean }>(
            'SELECT EXISTS (SELECT FROM due WHERE lease_until >= now() AND due_at <= now()) AS leased',
          );
          if (due.length > 0 || row?.leased || !worker.isIdle()) throw new Error('Deliveries are due or leased.');
        },
        { timeout: 90_000, interval: 20 },
      ),
    settled: (timeout = 90_000) =>
      vi.waitFor(
        async () => {
          const { scheduled } = await readTally(core);
          if (scheduled > 0) throw new Error(`${scheduled} deliveries are scheduled.`);
        },
        { timeout, interval: 50 },
      ),
    tally: () => readTally(core),
    query,
    close: async () => {
      await Promise.all(processes.map((started) => started.kill()));
      await receiver.close();
      await Promise.all(workers.map((worker) => worker.close()));
      workers.length = processes.length = 0;
      await withClient(databaseUrl, (client) => client.query(forget));
    },
  };
}

/** Rejects while there are jobs, and flushes those that arrived late. */
async function expectNoJob({ producer, flushQueue }: WorkerStores): Promise<void> {
  const counts = await Promise.all(jobNames().map((name) => producer.counts(name)));
  const jobs = counts.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
  if (jobs === 0) return;
  await flushQueue();
  throw new Error(`${jobs} jobs were in the queue after it was flushed.`);
}

/** A fixture that also closes its stores. */
export async function openOwnFixture(...where: Parameters<typeof openWorkerStores>): Promise<WorkerFixture> {
  const stores = await openWorkerStores(...where);
  const fixture = await openWorkerFixture(stores);
  const close = async () => {
    await fixture.close();
    await stores.close();
  };
  return { ...fixture, close };
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
