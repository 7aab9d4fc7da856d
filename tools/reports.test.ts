// Risk: `.ci/run` counts a crashed tier, or a file that never loaded, as passed.
import { expect, test } from 'vitest';
import { failedTests, type Report, total } from './reports.ts';

const file = (name: string, status: string, tests: Record<string, string>) => ({
  name: `/repository/${name}`,
  status,
  assertionResults: Object.entries(tests).map(([title, of]) => ({ title, status: of })),
});
const report: Report = {
  success: false,
  numPassedTests: 5,
  numFailedTests: 2,
  testResults: [
    file('a.test.ts', 'passed', { one: 'passed' }),
    file('b.test.ts', 'failed', { two: 'failed', three: 'passed', four: 'failed' }),
    file('c.test.ts', 'failed', {}),
  ],
};

test('failed tests are named with their file, and so is a file that failed outside its tests', () => {
  expect(failedTests(report, '/repository')).toEqual([
    'b.test.ts: two',
    'b.test.ts: four',
    'c.test.ts: the file itself',
  ]);
});

test('a missing report and one that failed in no test are one failure each', () => {
  const crashed = { ...report, numFailedTests: 0 };
  expect(total([report, undefined, crashed])).toEqual({ passed: 10, failed: 4 });
});
