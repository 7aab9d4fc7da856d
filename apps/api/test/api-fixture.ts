import { type Operation, operations, type Scope } from '@finhook/contracts';
import {
  type AttemptRecord,
  type Core,
  type CoreOptions,
  createAccountKey,
  openAccount,
  openCore,
  recordAttempts,
} from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { createLogger } from '@finhook/runtime';
import { useOpened } from '@finhook/testing/use';
import type { FastifyInstance } from 'fastify';
import { expect, inject, onTestFinished } from 'vitest';
import type { RateLimitOptions } from '../src/auth/rate-limits.ts';
import { type ApiPace, createApi } from '../src/create-api.ts';
import { type ApiClient, createApiClient, type Input } from './api-client.ts';

export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

export interface Tenant {
  accountId: string;
  companyId: string;
  apiKey: string;
  /** Sends the tenant's human-scope key. */
  client: ApiClient;
  /** Creates a key of another scope over REST; one of scope `agent` for a new agent of the tenant's company. */
  keyOf: (scope: Scope, narrowing?: Input) => Promise<string>;
  /** The key of another person, made as operators make it. */
  otherPerson: () => Promise<string>;
  /** Writes a failed attempt of a delivery into the log, with its evidence, and changes nothing else. */
  logAttempt: (deliveryId: string) => Promise<void>;
}

/** A listening api on a database of its own, with a tenant. */
export interface ApiFixture extends Tenant {
  url: string;
  app: FastifyInstance;
  /** Another process's view of the same database: connections of its own. */
  elsewhere: Core;
  databaseUrl: string;
  /** Each line that the service logged, debug level included. */
  logLines: string[];
  /** Ids of the endpoints that the api woke. */
  woken: string[];
  openTenant(name: string): Promise<Tenant>;
  /** Another api with options and a tenant of its own, on the same database; closed after the test. */
  openBeside(options?: FixtureOptions): Promise<ApiFixture>;
  /** A second api process on the same database; closed with the fixture. */
  openSecondApi(): Promise<ApiClient>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  /** The name of this cell, when it has one. */
  cell?: string;
  rateLimits?: Partial<RateLimitOptions>;
  bodyLimit?: number;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustedProxies?: string[];
  /** Time limit for receiving a request. */
  requestTimeoutMs?: number;
  /** Statement timeout of the first api; none when absent. */
  statementTimeoutMs?: number;
  /** Intervals of background work that are not those of tests. */
  pace?: Partial<ApiPace>;
  /** A standby that both apis read from. */
  replica?: CoreOptions['replica'];
  /** Called with each statement of the first api. */
  onQuery?: (sql: string) => void;
  /** The folder of the built dashboard, when it is not the usual one. */
  dashboardFolder?: string;
  /** A tree of operations, when it is not that of the contracts. */
  operations?: object;
  /** A migrated database that outlives the fixture; otherwise a clone is made and dropped. */
  databaseUrl?: string;
  /** Connections to it that outlive the fixture. */
  elsewhere?: Core;
}

function openTestCore(
  databaseUrl: string,
  options: Pick<CoreOptions, 'cell' | 'queue' | 'replica' | 'statementTimeoutMs'> = {},
): Promise<Core> {
  return openCore({ databaseUrl, secretsKey: SECRETS_KEY, allowInsecureWebhooks: true, poolSize: 16, ...options });
}

function tellQueries(core: Core, tell: FixtureOptions['onQuery']): Core {
  if (!tell) return core;
  const listenTo = (database: Core['database']): Core['database'] => ({
    ...database,
    query: (sql, values) => {
      tell(sql);
      return database.query(sql, values);
    },
    forAccount: (accountId) => listenTo(database.forAccount(accountId)),
  });
  return { ...core, database: listenTo(core.database) };
}

/** Without delays and caches. */
const testPace: ApiPace = { keyUseMs: 50, denialsMs: 50, requestLogMs: 50, credentialsMs: 20 };

interface Listening {
  app: FastifyInstance;
  url: string;
  client: ApiClient;
  close(): Promise<void>;
}

async function listen(core: Core, options: FixtureOptions, logLines: string[]): Promise<Listening> {
  const app = await createApi({
    core,
    logger: createLogger({ name: 'api', level: 'debug', destination: { write: (line) => void logLines.push(line) } }),
    pingQueue: async () => undefined,
    checkIntervalMs: 0,
    rateLimits: { requests: 0, accountRequests: 0, inFlight: 0, failedAuth: 0, ...options.rateLimits },
    bodyLimit: options.bodyLimit ?? 2 * 1024 * 1024,
    trustedProxies: options.trustedProxies,
    closeGraceMs: 0,
    pace: { ...testPace, ...options.pace },
    ...(options.dashboardFolder === undefined ? {} : { dashboardFolder: options.dashboardFolder }),
    ...(options.operations === undefined ? {} : { operations: options.operations }),
    ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = createApiClient(url);
  return {
    app,
    url,
    client,
    async close() {
      client.close();
      await app.close();
      await core.database.close();
    },
  };
}

/** Opens the fixture; `adminUrl` is the run's PostgreSQL. */
export async function openApiFixture(adminUrl: string, options: FixtureOptions = {}): Promise<ApiFixture> {
  const place =
    options.databaseUrl === undefined ? await createMigratedDatabase(adminUrl) : { url: options.databaseUrl };
  const woken: string[] = [];
  const logLines: string[] = [];
  const { replica, statementTimeoutMs } = options;
  const coreOptions = {
    cell: options.cell,
    replica,
    queue: {
      leaseMs: () => 0,
      add: (_: unknown, endpoints: readonly { id: string }[]) => void woken.push(...endpoints.map(({ id }) => id)),
    },
    ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
  };
  const core = tellQueries(await openTestCore(place.url, coreOptions), options.onQuery);
  const elsewhere = options.elsewhere ?? (await openTestCore(place.url));
  const first = await listen(core, options, logLines);
  const others: Listening[] = [];
  const openTenant = async (name: string): Promise<Tenant> => {
    const { accountId, companyId, apiKey } = await openAccount(core, {
      name,
      mode: 'live',
      companyName: `${name} Inc`,
    });
    const client = first.client.as(apiKey);
    return {
      accountId,
      companyId,
      apiKey,
      client,
      keyOf: (scope, narrowing) => mintKey(client, companyId, scope, narrowing),
      otherPerson: async () => (await createAccountKey(core, { accountId, name: 'Other', scope: 'human' })).apiKey,
      logAttempt: (deliveryId) => logAttempt(elsewhere, accountId, deliveryId),
    };
  };
  return {
    ...(await openTenant('Acme')),
    url: first.url,
    app: first.app,
    elsewhere,
    databaseUrl: place.url,
    logLines,
    woken,
    openTenant,
    async openBeside(more) {
      const beside = await openApiFixture(adminUrl, { ...more, databaseUrl: place.url, elsewhere });
      onTestFinished(() => beside.close());
      return beside;
    },
    async openSecondApi() {
      const second = await listen(await openTestCore(place.url, { replica }), options, logLines);
      others.push(second);
      return second.client;
    },
    async close() {
      await Promise.all([...others, first].map((api) => api.close()));
      if (options.elsewhere === undefined) await elsewhere.database.close();
      if ('drop' in place) await place.drop();
    },
  };
}

async function mintKey(client: ApiClient, company_id: string, scope: Scope, narrowing: Input = {}): Promise<string> {
  const { agents, apiKeys } = operations;
  const agent = scope === 'agent' ? { agent_id: await createAgent() } : {};
  const response = await client.rest(apiKeys.create, { name: scope, scope, ...agent, ...narrowing });
  if (response.status !== 201) throw new Error(`No key was minted: ${response.text}`);
  return response.body.key;

  async function createAgent(): Promise<string> {
    return (await client.rest(agents.create, { ...agents.create.example, company_id })).body.id;
  }
}

/** Like a worker that has lost its claim: the attempt is recorded, the delivery does not change. */
async function logAttempt(core: Core, accountId: string, deliveryId: string): Promise<void> {
  const claim = {
    deliveryId,
    accountId,
    eventId: '',
    eventType: '',
    sequence: '1',
    endpointId: '',
    endpointVersion: '',
    body: Buffer.alloc(0),
    bodyBytes: 0,
    attempt: 1,
    step: 0,
    trigger: 'automatic' as const,
    scheduled: true,
    leaseToken: 'lost',
  };
  const attempt: AttemptRecord = {
    claim,
    disposition: { kind: 'restore' },
    at: new Date('2026-01-15T12:00:00.000Z'),
    durationMs: 12,
    statusCode: 503,
    error: 'http_503',
    errorMessage: 'The endpoint returned 503 instead of a 2xx status.',
    responseSnippet: 'busy',
    evidence: {
      url: 'http://127.0.0.1:9/hook',
      requestHeaders: { 'x-service-signature': `t=1768478400,v1=${'0'.repeat(64)}` },
      responseHeaders: { 'retry-after': '5' },
      remoteAddress: '127.0.0.1',
      timings: { reused: false, dnsMs: null, connectMs: 1, tlsMs: null, firstByteMs: 9 },
    },
  };
  await recordAttempts(core, [attempt]);
}

/** The fixture for the tests of a file. */
export function useApi(options: FixtureOptions = {}): ApiFixture {
  return useOpened(
    () => openApiFixture(inject('pgUrl'), options),
    (opened) => opened.close(),
  );
}

/** The number of rows of a table, seen from outside of the service's own connections. */
export async function countRows(
  fixture: ApiFixture,
  table: string,
  where = 'true',
  values: unknown[] = [],
): Promise<number> {
  const [row] = await fixture.elsewhere.database.query<{ found: number }>(
    `SELECT count(*)::int AS found FROM ${table} WHERE ${where}`,
    values,
  );
  return row?.found ?? 0;
}

/** Resolves once this many connections of the service wait for a lock. */
export async function waitForBlocked({ elsewhere }: ApiFixture, connections: number): Promise<void> {
  const sql = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  const count = async () => (await elsewhere.database.owner.query(sql)).length;
  await expect.poll(count, { timeout: 10_000, interval: 10 }).toBe(connections);
}

/** The names between braces in an operation's path. */
export function pathNames(operation: Operation): string[] {
  return [...operation.http.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
