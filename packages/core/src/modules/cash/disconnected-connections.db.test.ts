// Risk: disconnecting rewrites the past: money disappears from the history, or counts twice.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { createConnection } from '../bank/connections/create.ts';
import { disconnectConnection } from '../bank/connections/disconnect.ts';
import { createCompany } from '../companies/create.ts';
import { updateSettings } from '../financials/figures/settings.ts';
import { upsertCashBalance } from './balances/upsert.ts';
import { getCashOnHand } from './cash-on-hand.ts';
import { getCashHistory } from './history.ts';

const start = '2026-05-20T02:00:00Z';
const DAY_MS = 86_400_000;
const clock = createTestClock(start);
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  clock.advance(Date.parse(start) - clock.now().getTime());
  ({ id: company_id } = await createCompany(context, { name: 'Ended Inc', timezone: 'America/New_York' }));
});

const connect = async (replaces?: string) =>
  (await createConnection(context, { company_id, provider: 'ledger', ...(replaces && { replaces }) })).id;
const balance = (as_of: string, balance_cents: number, connection_id: string) =>
  upsertCashBalance(context, { company_id, as_of, balance_cents, currency: 'USD', connection_id });
const end = (connection_id: string) => disconnectConnection(context, { connection_id });
const history = async () => {
  const { lines, streams } = await getCashHistory(context, { company_id, days: 6 });
  const points = lines.flatMap((line) => line.points.map(({ date, balance_cents }) => [date.slice(8), balance_cents]));
  return { points, streams };
};

test('a disconnected connection counts on the days before its end in the company’s time zone, and not later', async () => {
  const [kept, ended] = [await connect(), await connect()];
  await balance('2026-05-10', 1, kept);
  await balance('2026-05-15', 100, ended);
  clock.advance(-DAY_MS);
  await end(ended);
  clock.advance(DAY_MS);
  const { points, streams } = await history();
  expect(points).toEqual([
    ['14', 1],
    ['15', 101],
    ['16', 101],
    ['17', 101],
    ['18', 1],
    ['19', 1],
  ]);
  const one = streams.find(({ connection_id }) => connection_id === ended);
  expect(one?.excluded).toBe('disconnected');
  expect(one?.points.map(({ date }) => date)).toEqual(['2026-05-15', '2026-05-16', '2026-05-17']);
});

test('an account that is connected again counts once: the old connection until the first balance of the new one', async () => {
  const first = await connect();
  await balance('2026-05-14', 100, first);
  clock.advance(-4 * DAY_MS);
  await end(first);
  clock.advance(4 * DAY_MS);
  const second = await connect(first);
  await end(second);
  const third = await connect(second);
  await balance('2026-05-18', 70, third);
  const gone = [
    ['14', 100],
    ['15', 100],
    ['16', 100],
    ['17', 100],
    ['18', 70],
    ['19', 70],
  ];
  expect((await history()).points).toEqual(gone);
  await balance('2026-05-15', 90, third);
  expect((await history()).points).toEqual([gone[0], ['15', 90], ['16', 90], ['17', 90], ...gone.slice(4)]);
});

test('a successor that the settings exclude replaces no connection', async () => {
  const first = await connect();
  await balance('2026-05-14', 100, first);
  await end(first);
  const second = await connect(first);
  await balance('2026-05-16', 70, second);
  await updateSettings(context, { company_id, excluded_connections: [second] });
  expect((await history()).points.at(-1)).toEqual(['18', 100]);
});

test('the last day is cash on hand, also if the successor’s first balance is of tomorrow', async () => {
  const first = await connect();
  await balance('2026-05-14', 100, first);
  await end(first);
  const second = await connect(first);
  await balance('2026-05-20', 70, second);
  const { headline } = await getCashOnHand(context, { company_id });
  expect((await history()).points.slice(-2)).toEqual([
    ['18', 100],
    ['19', headline?.balance_cents],
  ]);
  expect(headline?.balance_cents).toBe(70);
});
