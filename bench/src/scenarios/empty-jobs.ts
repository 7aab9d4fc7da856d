import type { Backend, Environment } from '../environment/environment.ts';
import { perSecond, runLoad } from '../environment/run-load.ts';
import type { Scenario } from './scenario.ts';

async function measureEmptyJobs(environment: Environment, backend: Backend): Promise<number> {
  const database = await environment.createDatabase();
  const most = backend.name === 'redis' ? 20_000 : 3_000;
  const jobs = environment.quick ? most / 2 : most;
  const result = await runLoad({ kind: 'empty-jobs', queueUrl: backend.queueUrl(database), jobs });
  await backend.clear();
  await database.drop();
  return perSecond(result);
}

/** L4: what the queue could do at most if each delivery were a job. */
export const emptyJobsScenario: Scenario = {
  id: 'L4',
  run: async (environment) => {
    environment.note('L4: empty jobs');
    const figures = [];
    for (const backend of environment.backends) {
      const value = await measureEmptyJobs(environment, backend);
      figures.push({ scenario: 'L4', name: `empty jobs, ${backend.name} queue`, value, unit: 'jobs/s' } as const);
    }
    return figures;
  },
};
