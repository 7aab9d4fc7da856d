// Risk: the event that the function writes differs from the JSON of the stored rows, batches mix two states of the
// settings or deadlock, or posts fail because the function is gone.
import { createTestClock, createTestRandom } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { HandOffs } from '../../../outbox/hand-off.ts';
import { addDays } from '../../../time/calendar.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { createCompany } from '../../companies/create.ts';
import { getEvent } from '../../events/read.ts';
import { updateSettings } from '../../financials/figures/settings.ts';
import { getCashOnHand } from '../cash-on-hand.ts';
import { postBalances } from './post-balances.ts';
import { getCashBalance, listCashBalances } from './read.ts';
import { storeBalancesFunction } from './store-balances.ts';
import { upsertCashBalance } from './upsert.ts';

const today = '2026-01-10';
const clock = createTestClock(`${today}T09:30:00.007Z`);
const fixture = useFixture(clock);
const { context } = fixture;
const raw = useRawClient(fixture);
const given = { as_of: today, balance_cents: 100, currency: 'USD' };
const newCompany = async () => (await createCompany(context, { name: 'Cash Inc' })).id;

test('each event is the JSON that TypeScript makes of the stored rows', async () => {
  const company_id = fixture.companyId;
  const registered = await createConnection(context, { company_id, provider: 'ledger' });
  const texts = ['"created_at":"', 'created","cash_on_hand":[]}}', '\\u0001 "\\ü\u2028€\u0001\t', '{}'];
  const connections = [undefined, registered.id, 'excluded', 'card', ...texts];
  await updateSettings(context, {
    company_id,
    excluded_connections: ['excluded'],
    accounts: [{ connection_id: 'card', account_type: 'credit_card' }],
  });
  const random = createTestRandom(5);
  const pick = <T>(items: readonly T[]): T => items[random.integer(items.length)] as T;
  const amounts = [0, -1, 1, 412_500_00, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER];
  for (let i = 0; i < 150; i++) {
    clock.advance(random.integer(3) * 1_000);
    const key = { connection_id: pick(connections), as_of: addDays(today, random.integer(4) - 1) };
    const page = { company_id, limit: 200, order: 'asc' } as const;
    const { data: rows } = await listCashBalances(context, page);
    const earlier = rows.find((row) => row.as_of === key.as_of && row.connection_id === (key.connection_id ?? null));
    const { event_id, id } = await upsertCashBalance(context, {
      company_id,
      ...key,
      balance_cents: pick(amounts),
      currency: pick(['USD', 'USD', 'EUR']),
      source: pick([undefined, ...texts]),
      account_type: pick([undefined, undefined, 'depository', 'loan', 'investment']),
    });
    const row = await getCashBalance(context, { company_id, balance_id: id });
    const { lines } = await getCashOnHand(context, { company_id });
    const sent = ({ balance_cents, currency, source, account_type }: typeof row) =>
      JSON.stringify([balance_cents, currency, source, account_type]);
    const result = earlier === undefined ? 'created' : sent(earlier) === sent(row) ? 'unchanged' : 'updated';
    const body = {
      id: event_id,
      type: 'bank.balance.updated',
      created_at: row.updated_at,
      account_id: context.accountId,
      company_id,
      data: {
        ...row,
        result,
        ...(earlier?.currency === row.currency ? { previous_balance_cents: earlier.balance_cents } : {}),
        cash_on_hand: lines.map(({ currency, balance_cents, balance_string }) => ({
          currency,
          balance_cents,
          ...(balance_string === undefined ? {} : { balance_string }),
        })),
      },
    };
    const events = await context.database.query('SELECT type, company_id, body FROM event WHERE id = $1', [event_id]);
    expect(events).toEqual([{ type: body.type, company_id, body: JSON.stringify(body) }]);
  }
});

test('a batch sees one state of a company’s settings, even if they change while it runs', async () => {
  const company_id = await newCompany();
  const { id } = await createConnection(context, { company_id, provider: 'ledger' });
  const exclude = (connection: string) => updateSettings(context, { company_id, excluded_connections: [connection] });
  await upsertCashBalance(context, { company_id, ...given, connection_id: id });
  await exclude(id);
  await raw.query('BEGIN');
  await raw.query('SELECT FROM bank_connection WHERE id = $1 FOR UPDATE', [id]);
  const posts = Promise.all(
    [id, 'z'].map((connection_id) => upsertCashBalance(context, { company_id, ...given, connection_id })),
  );
  await waitForBlocked(raw);
  await exclude('z');
  await raw.query('COMMIT');
  const events = (await posts).map(({ event_id }) => getEvent(context, { event_id }));
  const cash = (await Promise.all(events)).map(({ data }) => data['cash_on_hand']);
  expect(cash).toEqual([[], [{ currency: 'USD', balance_cents: 100 }]]);
});

test('two batches of the same balances in opposite orders do not deadlock: one is stored, the other conflicts', async () => {
  const company_id = await newCompany();
  const posts = ['a', 'm', 'z'].map((connection_id) => ({ context, input: { ...given, company_id, connection_id } }));
  await raw.query('BEGIN');
  await raw.query(`INSERT INTO cash_balance VALUES ('bal_held', $1, $2, 'm', $3, 7, 'USD', 'api', 1, now(), now())`, [
    context.accountId,
    company_id,
    today,
  ]);
  const batches = [posts, posts.toReversed()].map((batch) =>
    postBalances(context.database, new HandOffs(context), batch),
  );
  await waitForBlocked(raw, 2);
  await raw.query('ROLLBACK');
  const kinds = (await Promise.all(batches)).map((results) => new Set(results.map(({ kind }) => kind)));
  expect(kinds.toSorted((a, b) => (a.has('stored') ? -1 : Number(b.has('stored'))))).toEqual([
    new Set(['stored']),
    new Set(['conflict']),
  ]);
});

test('a function that the database has lost is created again by the posts that call it', async () => {
  const company_id = await newCompany();
  const { name } = storeBalancesFunction;
  const posts = [
    () => upsertCashBalance(context, { company_id, ...given, connection_id: 'a' }),
    () => upsertCashBalance(context, { company_id, ...given, connection_id: 'b', dry_run: true }),
  ];
  for (const lose of [
    `DROP FUNCTION ${name}`,
    `DROP FUNCTION ${name}; DROP TYPE ${name}; DELETE FROM stored_function`,
  ]) {
    await raw.query(lose);
    const results = await Promise.all([...posts, ...posts].map((post) => post()));
    expect(results.map(({ balance_cents }) => balance_cents)).toEqual([100, 100, 100, 100]);
  }
  expect(await raw.query('SELECT FROM stored_function WHERE name = $1', [name])).toMatchObject({ rowCount: 1 });
});
