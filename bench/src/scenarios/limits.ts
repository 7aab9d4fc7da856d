import { defaultConnectionsPerOrigin } from '@finhook/delivery';
import { measureBareHttp } from '../limits/bare-http.ts';
import { perSecond, runLoad } from '../stage/run-load.ts';
import { seedAccounts } from '../stage/seed-account.ts';
import type { Backend, Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';
import { apiConnections, apiPoolSize, threeEndpoints } from './traffic-shape.ts';

/** L1 by itself; the drain takes it again beside each of its cases. */
export const bareHttp: Scenario = {
  id: 'L1',
  run: async (stage) => {
    stage.note('L1: bare HTTP');
    const value = await measureBareHttp(stage, defaultConnectionsPerOrigin);
    return [
      { scenario: 'L1', name: `bare HTTP, ${defaultConnectionsPerOrigin} connections`, value, unit: 'requests/s' },
    ];
  },
};

async function measureSql(stage: Stage, kind: 'balance-statements' | 'bulk-inserts'): Promise<number> {
  const database = await stage.createDatabase();
  const [account] = await seedAccounts(stage, database, [{ companies: 100, endpoints: threeEndpoints(stage) }]);
  if (account === undefined) throw new Error('No account was seeded.');
  const result = await runLoad({
    kind,
    databaseUrl: database.url,
    accountId: account.accountId,
    companyIds: account.companyIds,
    poolSize: apiPoolSize,
    callers: apiConnections,
    series: 0,
    warmupMs: 500,
    durationMs: stage.quick ? 1_000 : 3_000,
  });
  await database.drop();
  return perSecond(result);
}

/** L2 by itself; B3 takes it again in each of its rounds. */
export const balanceStatements: Scenario = {
  id: 'L2',
  run: async (stage) => {
    stage.note('L2: one statement a balance post');
    const value = await measureSql(stage, 'balance-statements');
    return [
      { scenario: 'L2', name: `one statement a balance post, ${apiPoolSize} connections`, value, unit: 'requests/s' },
    ];
  },
};

/** L3 by itself; B3 takes it again in each of its rounds. */
export const bulkInserts: Scenario = {
  id: 'L3',
  run: async (stage) => {
    stage.note('L3: bare bulk inserts');
    const value = 500 * (await measureSql(stage, 'bulk-inserts'));
    return [{ scenario: 'L3', name: '500 rows a statement, one unique key', value, unit: 'rows/s' }];
  },
};

async function measureEmptyJobs(stage: Stage, backend: Backend): Promise<number> {
  const database = await stage.createDatabase();
  const most = backend.name === 'redis' ? 20_000 : 3_000;
  const jobs = stage.quick ? most / 2 : most;
  const result = await runLoad({ kind: 'empty-jobs', queueUrl: backend.queueUrl(database), jobs });
  await backend.clear();
  await database.drop();
  return perSecond(result);
}

/** L4: what the queue could do at most if each delivery were a job. */
export const emptyJobs: Scenario = {
  id: 'L4',
  run: async (stage) => {
    stage.note('L4: empty jobs');
    const figures = [];
    for (const backend of stage.backends) {
      const value = await measureEmptyJobs(stage, backend);
      figures.push({ scenario: 'L4', name: `empty jobs, ${backend.name} queue`, value, unit: 'jobs/s' } as const);
    }
    return figures;
  },
};
