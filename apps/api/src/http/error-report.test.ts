// Risk: an outage of the database floods the log, or hides its cause.
import { DomainError } from '@finhook/core';
import { createLogger } from '@finhook/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createErrorReport } from './error-report.ts';
import { accountMoving } from './problem.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup() {
  const raw: string[] = [];
  const logger = createLogger({ name: 'api', level: 'info', destination: { write: (line) => void raw.push(line) } });
  const report = createErrorReport(logger, 10_000);
  const lines = () =>
    raw.map((line) => {
      const { level, msg, failed_requests: failed, request_id: id, err } = JSON.parse(line);
      return [level, msg, failed ?? id ?? null, typeof err?.stack === 'string'];
    });
  return { report, lines };
}

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const wrongPassword = () => Object.assign(new Error('password authentication failed'), { code: '28P01' });
const fail = ({ report }: ReturnType<typeof setup>, count: number, error = refused()) => {
  for (let i = 0; i < count; i += 1) report.failed(error, `req_${i}`);
};

test.for([
  ['cannot be reached', refused()],
  ['refuses the login', wrongPassword()],
] as const)('a database that %s is one line with the error, then counts, and a line at the end', ([, error]) => {
  const started = setup();
  const { report, lines } = started;
  fail(started, 300, error);
  report.skipped(error, 'Requests were not logged.');
  vi.advanceTimersByTime(10_000);
  fail(started, 200, error);
  vi.advanceTimersByTime(10_000);
  report.served();
  vi.advanceTimersByTime(30_000);
  expect(lines()).toEqual([
    ['error', 'the database is away: requests fail', 'req_0', true],
    ['error', 'the database is still away', 300, false],
    ['error', 'the database is still away', 200, false],
    ['info', 'the database is back', 500, false],
  ]);
  report.close();
});

test('it is not back while no request is served, nor while others still fail', () => {
  const started = setup();
  fail(started, 1);
  vi.advanceTimersByTime(60_000);
  started.report.served();
  fail(started, 1);
  vi.advanceTimersByTime(60_000);
  expect(started.lines().map(([, message]) => message)).toEqual([
    'the database is away: requests fail',
    'the database is still away',
    'the database is still away',
  ]);
  started.report.served();
  vi.advanceTimersByTime(10_000);
  fail(started, 1);
  expect(started.lines().slice(3)).toEqual([
    ['info', 'the database is back', 2, false],
    ['error', 'the database is away: requests fail', 'req_0', true],
  ]);
  started.report.close();
});

test('other failures are logged each time with their error, and client errors never', () => {
  const { report, lines } = setup();
  for (const id of ['req_1', 'req_2']) report.failed(new TypeError('x is undefined'), id);
  report.failed(new DomainError('not_found', { detail: 'There is no such record.' }), 'req_3');
  report.failed(accountMoving(), 'req_4');
  report.skipped(new TypeError('x is undefined'), 'Requests were not logged.');
  expect(lines()).toEqual([
    ['error', 'internal', 'req_1', true],
    ['error', 'internal', 'req_2', true],
    ['warn', 'Requests were not logged.', null, true],
  ]);
});
