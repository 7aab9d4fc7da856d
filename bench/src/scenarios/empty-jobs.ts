import { perSecond, runLoad } from '../stage/run-load.ts';
import type { Backend, Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

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
export const emptyJobsScenario: Scenario = {
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
