import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { chromiumBinary } from './packages/testing/src/env.ts';

const folders = [
  'packages/*/{src,test}/**',
  'apps/*/{src,test}/**',
  'bench/{src,test}/**',
  'tools/**',
  'sdks/*/test/**',
];
const files = (suffix: string) => folders.map((folder) => `${folder}/*.${suffix}`);
const exclude = ['**/node_modules/**', '**/dist/**'];
const postgres = 'packages/testing/src/global-setup.ts';
const service = 'apps/dashboard/test/browser-setup.ts';
const ci = Boolean(process.env['CI']);

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      exclude,
      // No test mocks a module or leaves state behind, so the files of a worker process share its modules.
      isolate: false,
      // Most conditions are met within milliseconds, but the default of one second is short on a busy machine.
      expect: { poll: { timeout: 10_000 } },
      testTimeout: 30_000,
      hookTimeout: 30_000,
      ...test,
    },
  };
}

/** The tests whose worker runs on these queues. */
const onQueues = (suffix: string, backends: string) => ({
  include: files(`${suffix}.test.ts`),
  env: { QUEUE_BACKENDS: backends },
  globalSetup: [postgres],
  testTimeout: 120_000,
  maxConcurrency: 4,
});

/**
 * Three tiers, each a script of package.json: `test` is unit, db, queue (on PostgreSQL) and browser; `test:faults` is the
 * same queue tests on Redis, and what is killed, cut off or restarted; `test:load` is memory, query plans, scale and
 * packaging.
 */
export default defineConfig({
  test: {
    // Most files wait at times, for the database, a process or the browser, so more of them run at once than there are cores.
    maxWorkers: 4,
    reporters: ci ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-results/vitest.json' },
    projects: [
      project('unit', {
        include: files('test.{ts,tsx}'),
        exclude: [...exclude, '**/*.{db,queue,faults,load,browser}.test.ts'],
      }),
      // Random companies take up to 14 seconds on two idle cores.
      project('db', { include: files('db.test.ts'), globalSetup: [postgres], testTimeout: 60_000 }),
      project('queue', onQueues('queue', 'postgres')),
      project('browser', {
        include: chromiumBinary() === null ? [] : files('browser.test.ts'),
        globalSetup: [service],
        testTimeout: 60_000,
        hookTimeout: 90_000,
      }),
      project('redis', onQueues('queue', 'redis')),
      project('faults', onQueues('faults', 'postgres,redis')),
      project('load', { ...onQueues('load', 'postgres,redis'), globalSetup: [postgres, service] }),
    ],
  },
});
