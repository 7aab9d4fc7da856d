// Risk: a balance is stored twice, overwritten by an older one, or reported with a value that is not stored.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { runIdempotent } from '../../../../test/run-idempotent.ts';
import { addDays } from '../../../time/calendar.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { createCompany } from '../../companies/create.ts';
import { dissolveCompany } from '../../companies/update.ts';
import { getEvent } from '../../events/read.ts';
import { getCashOnHand } from '../cash-on-hand.ts';
import { getCashBalance, listCashBalances } from './read.ts';
import { upsertCashBalance } from './upsert.ts';

type Input = Parameters<typeof upsertCashBalance>[1];

const fixture = useFixture();
const raw = useRawClient(fixture);
const { context } = fixture;
let company: string;
beforeEach(async () => {
  company = (await createCompany(context, { name: 'Cash Inc' })).id;
});

const post = (more: Partial<Input> = {}, by = context) =>
  upsertCashBalance(by, { company_id: company, as_of: '2026-01-10', balance_cents: 100, currency: 'USD', ...more });
const list = async (more: object = {}) =>
  (await listCashBalances(context, { company_id: company, limit: 200, order: 'asc', ...more })).data;
const onHand = async () => (await getCashOnHand(context, { company_id: company })).lines;
const balanceEvents = async () =>
  (await readFeed(context, 'bank.balance.updated')).filter((event) => event.company_id === company);

test('concurrent posts of one key leave one row, and the feed has all its values in order', async () => {
  const values = Array.from({ length: 40 }, (_, i) => i + 1);
  // Half of them take the lock, like a request with an Idempotency-Key.
  const answers = await Promise.all(
    values.map((balance_cents) =>
      balance_cents % 2 === 0
        ? post({ balance_cents }).then(({ result }) => result)
        : runIdempotent(context, { key: `k${balance_cents}`, body: '' }, (by) => post({ balance_cents }, by)).then(
            ({ outcome }) => (outcome.ok ? String(Reflect.get(Object(outcome.output), 'result')) : 'rejected'),
          ),
    ),
  );
  expect(answers.filter((result) => result === 'created')).toHaveLength(1);
  expect(answers.filter((result) => result === 'updated')).toHaveLength(values.length - 1);
  const [row, ...others] = await list();
  expect(others).toEqual([]);
  const reported = (await balanceEvents()).map(({ data }) => [data['previous_balance_cents'], data['balance_cents']]);
  expect(reported.map(([, value]) => Number(value)).toSorted((a, b) => a - b)).toEqual(values);
  expect(reported.map(([previous]) => previous)).toEqual([
    undefined,
    ...reported.slice(0, -1).map(([, value]) => value),
  ]);
  expect(reported.at(-1)?.[1]).toBe(row?.balance_cents);
});

test('the same value again is unchanged, emits one more event, and moves updated_at', async () => {
  const clock = createTestClock(new Date());
  const moving = { ...context, clock };
  const first = await post({}, moving);
  clock.advance(60_000);
  const second = await post({}, moving);
  expect([first.result, second.result]).toEqual(['created', 'unchanged']);
  expect([second.id, second.created_at]).toEqual([first.id, first.created_at]);
  expect(Date.parse(second.updated_at) - Date.parse(first.updated_at)).toBe(60_000);
  expect((await list()).map(({ updated_at }) => updated_at)).toEqual([second.updated_at]);
  expect((await balanceEvents()).map(({ data }) => data['result'])).toEqual(['created', 'unchanged']);
});

test.each([
  ['amount', { balance_cents: 101 }],
  ['currency', { currency: 'EUR' }],
  ['source', { source: 'bank_sync' }],
])('another %s updates the balance', async (_field, change) => {
  const { id } = await post();
  const changed = await post(change);
  expect(changed).toMatchObject({ id, result: 'updated', ...change });
  expect((await post(change)).result).toBe('unchanged');
});

test('the previous balance is returned if it has the same currency', async () => {
  const answers = [
    await post({ balance_cents: 1000 }),
    await post({ balance_cents: 900, currency: 'EUR' }),
    await post({ balance_cents: 800, currency: 'eur' }),
  ];
  expect(answers.map(({ result, previous_balance_cents }) => [result, previous_balance_cents])).toEqual([
    ['created', undefined],
    ['updated', undefined],
    ['updated', 900],
  ]);
  expect((await balanceEvents()).map(({ data }) => data['previous_balance_cents'])).toEqual([
    undefined,
    undefined,
    900,
  ]);
});

test.each([
  ['COMMIT', { id: 'bal_COMMIT', result: 'updated', previous_balance_cents: 7 }],
  ['ROLLBACK', { result: 'created' }],
])('a balance that meets one of the same key being stored waits for its %s', async (end, expected) => {
  await raw.query('BEGIN');
  await raw.query(
    `INSERT INTO cash_balance VALUES ('bal_${end}', $1, $2, '', '2026-01-10', 7, 'USD', 'api', 1, now(), now())`,
    [context.accountId, company],
  );
  const posting = post();
  await waitForBlocked(raw);
  await raw.query(end);
  expect(await posting).toMatchObject({ ...expected, balance_cents: 100 });
});

test('posts of one batch have their own results: a rejected one does not affect the others', async () => {
  const dissolved = (await createCompany(context, { name: 'Gone' })).id;
  await dissolveCompany(context, { company_id: dissolved });
  const answers = await Promise.allSettled([
    ...Array.from({ length: 12 }, (_, i) => post({ connection_id: `c${i}` })),
    post({ company_id: dissolved }),
    post({ company_id: 'co_unknown' }),
    post({ connection_id: 'conn_unknown' }),
  ]);
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? 'stored' : answer.reason.code))).toEqual([
    ...Array.from({ length: 12 }, () => 'stored'),
    'company_dissolved',
    'company_not_found',
    'validation_failed',
  ]);
  expect(await list()).toHaveLength(12);
  expect(await balanceEvents()).toHaveLength(12);
});

test('posts of one batch have their own audit rows, with the request and the actor', async () => {
  const requests = Array.from({ length: 10 }, (_, i) => `req_together${i}`);
  const answers = await Promise.all(
    requests.map((id, i) => {
      const actor = { ...context.actor, id: `key_${i}` };
      return post({ connection_id: `c${i}` }, { ...context, actor, request: { id, ip: '127.0.0.1' } });
    }),
  );
  const rows = await context.database.query(
    `SELECT request_id, actor ->> 'id' AS actor, actor_id, resource_id, after ->> 'result' AS result FROM audit_log
     WHERE company_id = $1 AND action = 'cash.balances.upsert' ORDER BY request_id`,
    [company],
  );
  expect(rows).toEqual(
    answers.map(({ id }, i) => ({
      request_id: requests[i],
      actor: `key_${i}`,
      actor_id: `key_${i}`,
      resource_id: id,
      result: 'created',
    })),
  );
});

test('posts of one batch keep the trace of their own request', async () => {
  const traces = Array.from({ length: 8 }, (_, i) => `00-${String(i + 1).padStart(32, '0')}-00f067aa0ba902b7-01`);
  const databases = [...traces, undefined].map((trace) => fixture.core.database.forAccount(context.accountId, trace));
  const answers = await Promise.all(
    databases.map((database, i) => post({ connection_id: `c${i}` }, { ...context, database })),
  );
  const rows = await context.database.query<{ traceparent: string | null }>(
    'SELECT traceparent FROM event JOIN unnest($1::text[]) WITH ORDINALITY AS w (id, n) USING (id) ORDER BY n',
    [answers.map(({ event_id }) => event_id)],
  );
  expect(rows.map(({ traceparent }) => traceparent)).toEqual([...traces, null]);
});

test('posts of one batch have the cash on hand as it grows, and each only its own account’s', async () => {
  const other = await fixture.otherAccount();
  const both = [
    ...Array.from({ length: 10 }, (_, i) => post({ connection_id: `c${i}`, balance_cents: 1 })),
    ...Array.from({ length: 10 }, (_, i) =>
      post({ connection_id: `c${i}`, balance_cents: 5, company_id: other.companyId }, other.context),
    ),
  ];
  await Promise.all(both);
  const cash = (events: readonly { data: Record<string, unknown> }[]) =>
    events.map(({ data }) => Reflect.get(Object(Object(data['cash_on_hand'])[0]), 'balance_cents'));
  expect(cash(await balanceEvents())).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
  expect(cash(await readFeed(other.context, 'bank.balance.updated'))).toEqual(
    Array.from({ length: 10 }, (_, i) => 5 * (i + 1)),
  );
});

test('a posted balance is in the cash on hand at once, 100 times of 100 under load', async () => {
  const busy = (await createCompany(context, { name: 'Busy' })).id;
  let load = true;
  const noise = Array.from({ length: 4 }, async (_, lane) => {
    for (let i = 0; load; i++)
      await upsertCashBalance(context, {
        company_id: busy,
        as_of: '2026-01-10',
        balance_cents: i,
        currency: 'USD',
        connection_id: `${lane}`,
      });
  });
  let seen = 0;
  for (let i = 1; i <= 100; i++) {
    const answer = await post({ balance_cents: i });
    const [line] = await onHand();
    const { data } = await getEvent(context, { event_id: answer.event_id });
    if (
      line?.balance_cents === i &&
      JSON.stringify(data['cash_on_hand']) === `[{"currency":"USD","balance_cents":${i}}]`
    )
      seen += 1;
  }
  load = false;
  await Promise.all(noise);
  expect(seen).toBe(100);
});

test('cash beyond 2^53−1 is exact on hand and in the event', async () => {
  let last = '';
  for (const connection_id of ['a', 'b', 'c'])
    last = (await post({ connection_id, balance_cents: Number.MAX_SAFE_INTEGER })).event_id;
  const sum = (BigInt(Number.MAX_SAFE_INTEGER) * 3n).toString();
  expect(await onHand()).toMatchObject([{ balance_cents: null, balance_string: sum, streams: 3 }]);
  const event = await getEvent(context, { event_id: last });
  expect(event.data['cash_on_hand']).toEqual([{ currency: 'USD', balance_cents: null, balance_string: sum }]);
});

test('−0 is stored and returned as 0', async () => {
  const answer = await post({ balance_cents: -0 });
  expect([Object.is(answer.balance_cents, 0), (await post({ balance_cents: 0 })).result]).toEqual([true, 'unchanged']);
});

test('a currency in small letters is stored in capitals', async () => {
  expect([(await post({ currency: 'usd' })).currency, (await post({ currency: 'USD' })).result]).toEqual([
    'USD',
    'unchanged',
  ]);
});

test.each([
  // There it is the 11th; here it is still the 10th.
  ['Pacific/Kiritimati', '2026-01-10T12:00:00Z', '2026-01-12'],
  ['Pacific/Pago_Pago', '2026-01-11T08:00:00Z', '2026-01-11'],
])('in %s tomorrow is that of the company, for the warning as for the figure', async (timezone, now, tomorrow) => {
  const dated = { ...context, clock: createTestClock(now) };
  const company_id = (await createCompany(context, { name: 'Date Line Inc', timezone })).id;
  const counted = async () => (await getCashOnHand(dated, { company_id })).lines[0]?.newest_as_of;
  expect((await post({ company_id, as_of: tomorrow }, dated)).warnings).toEqual([]);
  expect(await counted()).toBe(tomorrow);
  const after = addDays(tomorrow, 1);
  expect((await post({ company_id, as_of: after }, dated)).warnings).toMatchObject([{ code: 'future_date' }]);
  expect(await counted()).toBe(tomorrow);
});

test('balances of tomorrow count; later ones are stored with a warning and count from their day on', async () => {
  const clock = createTestClock('2026-01-10T12:00:00Z');
  const dated = { ...context, clock };
  const lines = async () =>
    (await getCashOnHand(dated, { company_id: company })).lines.map(({ balance_cents }) => balance_cents);
  await post({ as_of: '2026-01-09', balance_cents: 1 }, dated);
  expect((await post({ as_of: '2026-01-11', balance_cents: 2 }, dated)).warnings).toEqual([]);
  expect(await lines()).toEqual([2]);
  const early = await post({ as_of: '2026-01-12', balance_cents: 3 }, dated);
  expect(early.warnings).toMatchObject([{ code: 'future_date', pointer: '/as_of' }]);
  expect(await lines()).toEqual([2]);
  expect((await getEvent(dated, { event_id: early.event_id })).data['cash_on_hand']).toEqual([
    { currency: 'USD', balance_cents: 2 },
  ]);
  expect(
    (await listCashBalances(dated, { company_id: company, limit: 9, order: 'asc', latest: true })).data.map(
      ({ balance_cents }) => balance_cents,
    ),
  ).toEqual([2]);
  clock.set('2026-01-11T00:00:00Z');
  expect(await lines()).toEqual([3]);
  await expect(post({ as_of: '2027-01-13' }, dated)).rejects.toMatchObject({
    fields: [{ pointer: '/as_of', code: 'date_out_of_range' }],
  });
});

test('the latest balances are the newest of each connection, of the given day or tomorrow at the latest', async () => {
  const dated = { ...context, clock: createTestClock('2026-01-10T12:00:00Z') };
  const company_id = (await createCompany(context, { name: 'Latest Inc', timezone: 'UTC' })).id;
  const days = ['2026-01-05', '2026-01-06', '2026-01-08', '2026-01-11', '2026-01-12'];
  const posted = days.flatMap((as_of, i) =>
    ['a', 'b', 'c'].slice(i % 2).map((connection_id) => ({ connection_id, as_of })),
  );
  for (const [i, one] of posted.entries()) await post({ ...one, company_id, balance_cents: i }, dated);
  const latest = async (filter: { as_of_to?: string; as_of_from?: string }) => {
    const { data } = await listCashBalances(dated, { company_id, limit: 99, order: 'asc', latest: true, ...filter });
    return data.map(({ connection_id, as_of }) => `${connection_id} ${as_of}`).toSorted();
  };
  for (const as_of_to of [undefined, ...days, '2026-01-04', '2026-01-07']) {
    const until = as_of_to === undefined || as_of_to > '2026-01-11' ? '2026-01-11' : as_of_to;
    const newest = new Map(posted.filter((one) => one.as_of <= until).map((one) => [one.connection_id, one.as_of]));
    const expected = [...newest].map(([connection_id, as_of]) => `${connection_id} ${as_of}`).toSorted();
    expect([as_of_to, await latest(as_of_to === undefined ? {} : { as_of_to })]).toEqual([as_of_to, expected]);
  }
  expect(await latest({ as_of_from: '2026-01-07', as_of_to: '2026-01-08' })).toEqual([
    'a 2026-01-08',
    'b 2026-01-08',
    'c 2026-01-08',
  ]);
});

test('a balance in another currency than its connection’s is stored with a warning', async () => {
  const connect = async (currency?: string) =>
    (await createConnection(context, { company_id: company, provider: 'ledger', currency })).id;
  const [dollars, open] = [await connect('USD'), await connect()];
  // The first post of a connection needs a transaction, later ones share statements.
  for (const result of ['created', 'unchanged']) {
    const answer = await post({ connection_id: dollars, currency: 'eur' });
    expect(answer).toMatchObject({ result, currency: 'EUR', balance_cents: 100 });
    expect(answer.warnings).toEqual([
      {
        code: 'connection_currency_differs',
        pointer: '/currency',
        message: "The connection's currency is USD: the balance is stored in EUR, as it was sent.",
      },
    ]);
  }
  expect(await list({ connection_id: dollars })).toMatchObject([{ currency: 'EUR' }]);
  const own = await post({ connection_id: dollars, currency: 'usd' });
  expect(own.warnings?.map(({ code }) => code)).not.toContain('connection_currency_differs');
  expect((await post({ connection_id: open, currency: 'EUR' })).warnings).toEqual([]);
  for (const connection_id of [null, 'a label'])
    expect((await post({ connection_id, currency: 'EUR' })).warnings).toEqual([]);
});

test('a balance is returned as in the response that stored it', async () => {
  const { result, event_id, warnings, ...record } = await post({ source: 'bank_sync', connection_id: 'A' });
  expect([result, warnings]).toEqual(['created', []]);
  expect(await getCashBalance(context, { company_id: company, balance_id: record.id })).toEqual(record);
  const event = await getEvent(context, { event_id });
  expect(event).toMatchObject({ type: 'bank.balance.updated', account_id: context.accountId, company_id: company });
  expect(event.data).toEqual({ ...record, result, cash_on_hand: [{ currency: 'USD', balance_cents: 100 }] });
});
