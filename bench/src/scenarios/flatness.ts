import type { Environment, EnvironmentDatabase } from '../environment/environment.ts';
import { runLoad } from '../environment/run-load.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import { settle } from '../environment/seed-deliveries.ts';
import { seedHistory } from '../environment/seed-history.ts';
import { comparedFigure, type Figure, grouped } from '../report/figure.ts';
import { type Spread, spreadOf } from '../report/statistics.ts';
import type { Scenario } from './scenario.ts';

const endpoints = 20;
const rowsPerClaim = 20;
const goal = 1.5;

/** A filled database with its own api. */
interface Size {
  readonly rows: number;
  readonly database: EnvironmentDatabase;
  readonly account: SeededAccount;
  readonly url: string;
  close(): Promise<void>;
}

async function openSize(environment: Environment, rows: number): Promise<Size> {
  environment.note(`B5: making ${rows} rows of each kind`);
  const database = await environment.createDatabase();
  const urls = Array.from({ length: endpoints }, (_, i) => ({ url: `${environment.receiver.url}/ok/${i}` }));
  const [account] = await seedAccounts(environment, database, [{ companies: 1, endpoints: urls }]);
  if (account === undefined) throw new Error('No account was seeded.');
  await seedHistory(database, account, rows);
  await settle(database);
  const [backend] = environment.backends;
  const api = await environment.startApi(database, backend);
  const close = async (): Promise<void> => {
    await api.stop();
    await backend.clear();
    await database.drop();
  };
  return { rows, database, account, url: api.url, close };
}

/** Cursors of rows throughout a table. */
async function cursors(size: Size, sql: string, count: number): Promise<string[]> {
  const step = Math.max(1, Math.floor(size.rows / count));
  const found = await size.database.query<{ parts: string[] }>(`${sql} AND hashtext(id) % $2 = 0 LIMIT $3`, [
    size.account.accountId,
    step,
    count,
  ]);
  return found.map(({ parts }) => Buffer.from(JSON.stringify(parts)).toString('base64url'));
}

interface Reading {
  readonly name: string;
  paths(size: Size, count: number): Promise<string[]>;
}

function listReading(name: string, path: string, sql: string): Reading {
  return {
    name,
    paths: async (size, count) =>
      (await cursors(size, sql, count)).map((after) => `/api/v1/${path}?limit=50&after=${after}`),
  };
}

const summary: Reading = {
  name: 'cash summary',
  paths: async ({ account }, count) =>
    Array.from({ length: count }, () => `/api/v1/companies/${account.companyIds[0]}/financials/summary`),
};

/** The maximum of rules per company, none of which matches: each text is compared with all of them. */
const flowRules = Array.from({ length: 100 }, (_, i) => ({ contains: `vendor ${i}`, flow_class: 'excluded' }));

/** With rules, the first read computes the sums again. */
async function storeRules({ database, account }: Size): Promise<void> {
  const [companyId] = account.companyIds;
  await database.query(
    `INSERT INTO surface_settings (company_id, account_id, excluded_connections, flow_rules, rules_version, created_at, updated_at)
     VALUES ($1, $2, '{}', $3, 1, now(), now())`,
    [companyId, account.accountId, JSON.stringify(flowRules)],
  );
  await database.query('DELETE FROM transaction_rollup WHERE company_id = $1', [companyId]);
}

const readings: readonly Reading[] = [
  listReading('feed page', 'events', 'SELECT ARRAY[position::text] AS parts FROM event WHERE account_id = $1'),
  listReading('delivery list', 'deliveries', 'SELECT ARRAY[id] AS parts FROM delivery WHERE account_id = $1'),
  listReading('activity list', 'activity', 'SELECT ARRAY[id] AS parts FROM audit_log WHERE account_id = $1'),
  summary,
];

/** Reads each size in turn, several rounds, so that disturbances affect all of them. */
async function measureReading(environment: Environment, sizes: readonly Size[], reading: Reading): Promise<Spread[]> {
  const rounds = environment.quick ? 1 : 8;
  const perRound = environment.quick ? 100 : 250;
  const paths = await Promise.all(sizes.map((size) => reading.paths(size, perRound)));
  const latencies = sizes.map((): number[] => []);
  // The first round is warm-up: plans, the sums of the summary, and shared pages.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { url, account }] of sizes.entries()) {
      const result = await runLoad({ kind: 'reads', url, apiKey: account.apiKey, paths: paths[i] ?? [] });
      if (round > 0) latencies[i]?.push(...result.latencies);
    }
  }
  return latencies.map(spreadOf);
}

async function measureClaims(environment: Environment, sizes: readonly Size[]): Promise<Spread[]> {
  const rounds = environment.quick ? 1 : 12;
  const claims = 100;
  // Each process starts with a new connection and uncompiled code.
  const warmup = 20;
  const latencies = sizes.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { database, account }] of sizes.entries()) {
      const { accountId, endpointIds } = account;
      const { secretsKey } = environment;
      const load = {
        kind: 'claims',
        databaseUrl: database.url,
        secretsKey,
        accountId,
        endpointIds,
        claims,
        rowsPerClaim,
      } as const;
      latencies[i]?.push(...(await runLoad(load)).latencies.slice(warmup));
    }
  }
  return latencies.map(spreadOf);
}

/** p50 and p99 of each size, and the p99 compared with the smallest size. */
function figuresOf(name: string, sizes: readonly Size[], spreads: readonly Spread[]): Figure[] {
  const [smallest] = spreads;
  return sizes.flatMap(({ rows }, i) => {
    const spread = spreads[i];
    if (!spread || !smallest) return [];
    const at = `${name}, ${grouped(rows)} rows`;
    const p50 = { scenario: 'B5', name: `${at}, p50`, value: spread.p50, unit: 'ms' } as const;
    const p99 = { scenario: 'B5', name: `${at}, p99`, value: spread.p99, unit: 'ms' } as const;
    if (spread === smallest) return [p50, p99];
    return [p50, comparedFigure(p99, { id: 'smallest', value: smallest.p99 }, { atMost: goal })];
  });
}

function sizesOf({ quick, full }: Environment): readonly number[] {
  if (quick) return [10_000, 50_000];
  return full ? [10_000, 1_000_000, 10_000_000] : [10_000, 1_000_000];
}

/** B5: frequent reads take as long over many rows as over few. */
export const flatnessScenario: Scenario = {
  id: 'B5',
  run: async (environment) => {
    const sizes: Size[] = [];
    try {
      for (const rows of sizesOf(environment)) sizes.push(await openSize(environment, rows));
      const figures: Figure[] = [];
      for (const reading of readings) {
        environment.note(`B5: ${reading.name}`);
        figures.push(...figuresOf(reading.name, sizes, await measureReading(environment, sizes, reading)));
      }
      if (!environment.checkout.isOwn) return figures;
      environment.note('B5: rules');
      for (const size of sizes) await storeRules(size);
      const ruled = { ...summary, name: 'cash summary with 100 rules' };
      figures.push(...figuresOf(ruled.name, sizes, await measureReading(environment, sizes, ruled)));
      environment.note('B5: claims');
      figures.push(...figuresOf(`claim of ${rowsPerClaim}`, sizes, await measureClaims(environment, sizes)));
      return figures;
    } finally {
      for (const size of sizes) await size.close();
    }
  },
};
