import type { Backend, Environment, EnvironmentDatabase } from '../environment/environment.ts';
import { perSecond, runLoad } from '../environment/run-load.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import type { ApiTarget, Traffic } from '../loads/load.ts';
import { batchRows } from '../loads/traffic.ts';
import { comparedFigure, type Figure } from '../report/figure.ts';
import { median, medianRatio } from '../report/statistics.ts';
import { apiConnections, apiPoolSize, companies, type Scenario, threeEndpoints } from './scenario.ts';

const trpcGoal = 0.9;

interface Round {
  api(protocol: ApiTarget['protocol'], what: Traffic['what']): Promise<number>;
  /** Batches through the verb alone. */
  verb(what: 'new-batches' | 'known-batches'): Promise<number>;
}

function createRound(
  environment: Environment,
  database: EnvironmentDatabase,
  account: SeededAccount,
  url: string,
): Round {
  const { accountId, apiKey, companyIds } = account;
  const timing = { warmupMs: environment.quick ? 500 : 1_000, durationMs: environment.quick ? 1_000 : 2_500 };
  // Each load of a database writes its own keys.
  let series = 0;
  const pool = { poolSize: apiPoolSize, callers: apiConnections, databaseUrl: database.url };
  return {
    api: async (protocol, what) => {
      const target = { url, apiKey, protocol };
      const traffic = { what, companyIds, series: series++ };
      const pace = { kind: 'closed', connections: apiConnections } as const;
      return perSecond(await runLoad({ kind: 'api', target, traffic, pace, ...timing }));
    },
    verb: async (what) => {
      const traffic = { what, companyIds, series: series++ };
      const { secretsKey } = environment;
      return perSecond(await runLoad({ kind: 'stored-batches', ...pool, secretsKey, accountId, traffic, ...timing }));
    },
  };
}

/** Figures of one comparison by round. */
interface Rounds {
  readonly rest: number[];
  readonly trpc: number[];
  /** Without HTTP, if measured. */
  readonly verb: number[];
}

async function takeRounds(
  count: number,
  api: (protocol: ApiTarget['protocol']) => Promise<number>,
  verb?: () => Promise<number>,
): Promise<Rounds> {
  const rounds: Rounds = { rest: [], trpc: [], verb: [] };
  // In turn, so that disturbances affect all.
  for (let round = 0; round < count; round++) {
    rounds.rest.push(await api('rest'));
    rounds.trpc.push(await api('trpc'));
    if (verb !== undefined) rounds.verb.push(await verb());
  }
  return rounds;
}

function figuresOf(name: string, unit: 'requests/s' | 'rows/s', { rest, trpc, verb }: Rounds): Figure[] {
  const scale = unit === 'rows/s' ? batchRows : 1;
  const measured = (protocol: string, values: readonly number[]) =>
    ({ scenario: 'B3', name: `${name}, ${protocol}`, value: scale * median(values), unit }) as const;
  const asRest = { id: 'REST', value: scale * median(rest) };
  return [
    measured('REST', rest),
    measured('tRPC', trpc),
    comparedFigure(measured('tRPC beside REST', trpc), asRest, { atLeast: trpcGoal }, medianRatio(trpc, rest)),
    ...(verb.length > 0 ? [measured('without HTTP', verb)] : []),
  ];
}

async function measure(environment: Environment, backend: Backend): Promise<Figure[]> {
  const rounds = environment.quick ? 1 : 3;
  const database = await environment.createDatabase();
  const [account] = await seedAccounts(environment, database, [{ companies, endpoints: threeEndpoints(environment) }]);
  if (account === undefined) throw new Error('No account was seeded.');
  const api = await environment.startApi(database, backend);
  const round = createRound(environment, database, account, api.url);
  const queue = `${backend.name} queue`;
  environment.note(`B3: balance posts, ${queue}`);
  const posts = await takeRounds(rounds, (protocol) => round.api(protocol, 'balances'));
  const figures = figuresOf(`balance posts, ${queue}`, 'requests/s', posts);
  if (backend === environment.backends[0]) {
    for (const what of ['new-batches', 'known-batches'] as const) {
      const name = what === 'new-batches' ? 'new batches of 500' : 'batches of 500 known rows';
      environment.note(`B3: ${name}`);
      const batches = await takeRounds(
        rounds,
        (protocol) => round.api(protocol, what),
        environment.quick || !environment.checkout.isOwn ? undefined : () => round.verb(what),
      );
      figures.push(...figuresOf(name, 'rows/s', batches));
    }
  }
  await api.stop();
  await backend.clear();
  await database.drop();
  return figures;
}

/** B3: throughput of the api without a worker: balance posts on each queue, batches on the first. */
export const throughputScenario: Scenario = {
  id: 'B3',
  run: async (environment) => {
    const figures: Figure[] = [];
    for (const backend of environment.backends) {
      figures.push(...(await measure(environment, backend)));
    }
    return figures;
  },
};
