import { defineConfig } from 'vitest/config';
import { chromiumBinary } from './packages/testing/src/chromium-binary.ts';

const folders = ['packages/*/{src,test}/**', 'apps/*/{src,test}/**', 'bench/{src,test}/**', 'tools/**'];
const files = (suffix: string) => folders.map((folder) => `${folder}/*.${suffix}`);
const exclude = ['**/node_modules/**', '**/dist/**'];
const globalSetup = ['packages/testing/src/global-setup.ts'];
/** What is waited for comes within milliseconds, but one second, the default, is short on a machine that is busy. */
const expectations = { poll: { timeout: 10_000 } };
const ci = Boolean(process.env['CI']);

/**
 * unit needs nothing; db shares one PostgreSQL that the global setup starts; queue starts servers of its own, which it
 * stops and kills, and mostly waits; browser starts whole services and drives a Chromium, where there is one. What waits
 * and what computes are in groups of their own, one after the other, so that waiting does not become late.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ci ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-results/vitest.json' },
    projects: [
      {
        test: {
          name: 'unit',
          include: files('test.{ts,tsx}'),
          exclude: [...exclude, '**/*.{db,queue,browser}.test.ts'],
          expect: expectations,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'db',
          include: files('db.test.ts'),
          exclude,
          expect: expectations,
          globalSetup,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'queue',
          include: files('queue.test.ts'),
          exclude,
          expect: expectations,
          globalSetup,
          testTimeout: 120_000,
          hookTimeout: 30_000,
          // Tests that say so run at once, because all they do is wait for a lease to end.
          maxConcurrency: 8,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser',
          include: chromiumBinary() === null ? [] : ['apps/dashboard/test/**/*.browser.test.ts'],
          exclude,
          expect: expectations,
          globalSetup,
          testTimeout: 60_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
