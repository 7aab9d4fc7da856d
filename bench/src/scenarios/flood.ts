import type { Environment } from '../environment/environment.ts';
import { runLoad } from '../environment/run-load.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import type { Traffic } from '../loads/load.ts';
import { comparedFigure } from '../report/figure.ts';
import { spreadOf } from '../report/statistics.ts';
import type { Scenario } from './scenario.ts';

const readsPerSecond = 25;
const sendsPerSecond = 10;
const goal = 1.5;

/** B11: small bodies that decompress to half a million numbers do not slow down another account. */
export const floodScenario: Scenario = {
  id: 'B11',
  run: async (environment) => {
    const [backend] = environment.backends;
    const database = await environment.createDatabase();
    const account = { companies: 1, endpoints: [] };
    const [reader, sender] = await seedAccounts(environment, database, [account, account]);
    if (reader === undefined || sender === undefined) throw new Error('No account was seeded.');
    const api = await environment.startApi(database, backend);
    const beforehand: number[] = [];
    const during: number[] = [];
    // Both with a generator, whose start and connections cost the machine the same.
    const readBeside = async (what: 'balances' | 'floods'): Promise<readonly number[]> => {
      const beside = paced(environment, api.url, sender, what, sendsPerSecond);
      const [latencies] = await Promise.all([
        paced(environment, api.url, reader, 'company-lists', readsPerSecond),
        beside,
      ]);
      return latencies;
    };
    // The first round is warm-up.
    for (let round = 0; round <= (environment.quick ? 1 : 4); round++) {
      environment.note(`B11: company lists, round ${round}`);
      const usual = await readBeside('balances');
      const flooded = await readBeside('floods');
      if (round === 0) continue;
      beforehand.push(...usual);
      during.push(...flooded);
    }
    await api.stop();
    await backend.clear();
    await database.drop();
    const [quiet, busy] = [spreadOf(beforehand), spreadOf(during)];
    const measured = (name: string, value: number) => ({ scenario: 'B11', name, value, unit: 'ms' }) as const;
    return [
      measured('company list beside ordinary posts, p50', quiet.p50),
      measured('company list beside ordinary posts, p99', quiet.p99),
      measured('company list beside another account that floods, p50', busy.p50),
      comparedFigure(
        measured('company list beside another account that floods, p99', busy.p99),
        { id: 'ordinary', value: quiet.p99 },
        { atMost: goal },
      ),
    ];
  },
};

async function paced(
  environment: Environment,
  url: string,
  { apiKey, companyIds }: SeededAccount,
  what: Traffic['what'],
  perSecond: number,
): Promise<readonly number[]> {
  const { latencies } = await runLoad({
    kind: 'api',
    target: { url, apiKey, protocol: 'rest' },
    traffic: { what, companyIds, series: 0 },
    pace: { kind: 'open', perSecond },
    warmupMs: 1_000,
    durationMs: environment.quick ? 4_000 : 10_000,
  });
  return latencies;
}
