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

function project(
  name: string,
  { test, order = 0 }: { test: TestProjectInlineConfiguration['test']; order?: number },
): TestProjectInlineConfiguration {
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
      sequence: { groupOrder: order },
      ...test,
    },
  };
}

/** The tests whose worker runs on these queues. Most of the time they wait, so more files run at once than there are cores. */
const onQueues = (suffix: string, backends: string) => ({
  include: files(`${suffix}.test.ts`),
  env: { QUEUE_BACKENDS: backends },
  globalSetup: [postgres],
  testTimeout: 120_000,
  maxWorkers: 3,
  maxConcurrency: 4,
});

/**
 * Three tiers, each a script of package.json: `test` is unit, db, queue (on PostgreSQL) and browser; `test:faults` is the
 * same queue tests on Redis, and what is killed, cut off or restarted; `test:load` is memory, query plans, scale and
 * packaging. Groups run one after the other, so that what waits is not made late by what computes.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ci ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-results/vitest.json' },
    projects: [
      project('unit', {
        test: {
          include: files('test.{ts,tsx}'),
          exclude: [...exclude, '**/*.{db,queue,faults,load,browser}.test.ts'],
        },
      }),
      project('db', { test: { include: files('db.test.ts'), globalSetup: [postgres] } }),
      project('queue', { order: 1, test: onQueues('queue', 'postgres') }),
      project('browser', {
        order: 2,
        test: {
          include: chromiumBinary() === null ? [] : files('browser.test.ts'),
          globalSetup: [service],
          testTimeout: 60_000,
          hookTimeout: 90_000,
        },
      }),
      project('redis', { test: onQueues('queue', 'redis') }),
      project('faults', { order: 1, test: onQueues('faults', 'postgres,redis') }),
      project('load', {
        test: { ...onQueues('load', 'postgres,redis'), globalSetup: [postgres, service], maxWorkers: 2 },
      }),
    ],
  },
});
