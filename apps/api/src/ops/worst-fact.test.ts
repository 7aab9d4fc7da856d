// Risk: the console says that all is well while something is not, or says a lesser problem first.
import { expect, test } from 'vitest';
import type { ConsoleStatus } from './read-status.ts';
import { statusPage } from './status-page.ts';
import { verdictOf } from './worst-fact.ts';

const at = new Date('2026-11-26T22:00:00Z');
const before = (seconds: number) => new Date(at.getTime() - seconds * 1000);

type Endpoint = NonNullable<ConsoleStatus['unhealthy']>[number];
type Process = NonNullable<ConsoleStatus['processes']>[number];
type Move = NonNullable<ConsoleStatus['moves']>[number];

const endpoint = (reason: Endpoint['reasons'][number]['reason'], since: Date | null, undelivered = 0): Endpoint => ({
  endpointId: 'we_1',
  accountId: 'acc_1',
  host: 'example.com',
  reasons: [
    { reason, since },
    { reason: 'backlog', since: before(40) },
  ],
  status: 'active',
  consecutiveFailures: 7,
  waiting: 0,
  oldestDueAgeSeconds: 0,
  facts: {
    description: null,
    companyName: null,
    accountName: 'Acme',
    lastFailure: 500,
    succeeded: 0,
    attempted: 9,
    undelivered,
    countedNewest: undelivered >= 1_000 ? 2_000 : null,
  },
});
const process = (role: Process['role'], gone = false, seenAt = at): Process => ({
  id: `proc_${role}`,
  role,
  host: 'one',
  pid: 1,
  version: '1.2.3',
  inFlight: 0,
  connections: { busy: 0, idle: 0, waiting: 0 },
  startedAt: before(86_400),
  seenAt,
  gone,
});
const move = (state: Move['state'], stateSeconds: number): Move => ({
  accountId: 'acc_1',
  state,
  cell: 'eu',
  begunAt: before(stateSeconds),
  stateSince: before(stateSeconds),
  begunBy: '',
  stateSeconds,
});
const work = (due: number, oldestDueAgeSeconds: number) => ({ limit: 50_000, due, held: 0, oldestDueAgeSeconds });
const outcomes = (failed: number) => ({ since: before(300), truncated: false, succeeded: 3, failed, retried: 9 });
const lost = (count: number) => ({ whole: undefined, counted: 10, lost: count });

const healthy: ConsoleStatus = {
  at,
  lostDeliveries: lost(0),
  work: work(3, 2),
  history: [],
  recent: outcomes(0),
  unhealthy: [endpoint('paused', before(9))],
  moves: [],
  processes: [process('api'), process('worker')],
  queue: [],
};
const unread = { lostDeliveries: undefined, work: undefined, recent: undefined, unhealthy: undefined } as const;

/** In the order of severity. */
const facts: readonly (readonly [tone: 'bad' | 'warn', worst: string, status: Partial<ConsoleStatus>])[] = [
  ['bad', '1,204 deliveries lost', { lostDeliveries: lost(1_204) }],
  [
    'bad',
    'No worker is running, and nothing is delivered',
    { processes: [process('api'), process('worker', true, before(9_999))] },
  ],
  ['bad', 'Unavailable right now: outcomes', { recent: undefined }],
  [
    'bad',
    '1 endpoint failing since 21:48 UTC, 622 undelivered',
    { unhealthy: [endpoint('failing', before(720), 622)] },
  ],
  ['bad', '400 deliveries due, the oldest for 5 min 1 s', { work: work(400, 301) }],
  ['warn', 'The queue is unreachable, and deliveries begin about one second later', { queue: undefined }],
  ['warn', '1 endpoint delayed, 1 undelivered', { unhealthy: [endpoint('resting', null, 1)] }],
  ['warn', '2 deliveries failed permanently in the last 5 min', { recent: outcomes(2) }],
  [
    'warn',
    '1 account move unfinished for 11 min',
    { moves: [move('copying', 9_999), move('frozen', 660), move('draining', 599)] },
  ],
  ['warn', '1 process gone without a shutdown', { processes: [process('worker'), process('api', true, before(60))] }],
  [
    'warn',
    '1 endpoint disabled since 09:12 UTC',
    { unhealthy: [endpoint('disabled', new Date('2026-11-26T09:12:00Z'))] },
  ],
];

test.each(facts)('%s: %s', (tone, worst, status) => {
  expect(verdictOf({ ...healthy, ...status })).toEqual({ tone, worst, others: [] });
});

test('each fact comes before the ones below it', () => {
  const endpoints = facts.flatMap(([, , { unhealthy = [] }]) => unhealthy);
  const all = Object.assign({}, ...facts.map(([, , status]) => status), {
    unhealthy: endpoints,
    processes: [process('api', true)],
  });
  const both = verdictOf({ ...healthy, ...all, recent: outcomes(2) });
  const shown = facts.map(([, worst]) => worst);
  expect([both.worst, ...both.others]).toEqual(shown.filter((worst) => !worst.startsWith('Unavailable')));
});

test('with nothing wrong it is green, also while an endpoint is paused or was disabled long ago', () => {
  const good = { tone: 'good', worst: 'No endpoint is failing, and no delivery is late', others: [] };
  expect(verdictOf(healthy)).toEqual(good);
  const old = {
    unhealthy: [endpoint('disabled', before(86_400))],
    processes: [process('worker'), process('api', true, before(3_600))],
  };
  expect(verdictOf({ ...healthy, ...old })).toEqual(good);
});

test('many endpoints are one sentence, with the earliest start, its date, and limits', () => {
  const many = Array.from({ length: 50 }, (_, n) =>
    endpoint(n % 2 === 0 ? 'failing' : 'breaker_open', before(86_400 * n), 1_000),
  );
  expect(verdictOf({ ...healthy, unhealthy: many }).worst).toBe(
    '50 or more endpoints failing since 2026-10-08 22:00 UTC, 50,000 undelivered of the newest 2,000 of each',
  );
});

test('a count among the newest deliveries says so, in the first line and in the table, also if it is 0', () => {
  const many = endpoint('failing', before(720), 1_000);
  const fine = { ...many, facts: many.facts && { ...many.facts, undelivered: 0 } };
  const status = { ...healthy, unhealthy: [many] };
  expect(verdictOf(status).worst).toBe('1 endpoint failing since 21:48 UTC, 1,000 undelivered of the newest 2,000');
  const page = statusPage({ status: { ...status, unhealthy: [many, fine] }, backend: 'postgres', refreshes: false });
  const counts = page.markup.match(/[\d,]+ of the newest 2,000(?=<\/td>)/g);
  expect(counts).toEqual(['1,000 of the newest 2,000', '0 of the newest 2,000']);
});

test('a database that does not respond is one fact', () => {
  const status = { ...healthy, ...unread, moves: undefined, processes: undefined };
  expect(verdictOf(status)).toEqual({ tone: 'bad', worst: 'The database does not respond', others: [] });
});
