// Risk: the event that the function writes differs from the JSON of the stored rows.
import { createTestClock, createTestRandom } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { addDays } from '../../../time/calendar.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { updateSettings } from '../../financials/figures/settings.ts';
import { getCashOnHand } from '../cash-on-hand.ts';
import { getCashBalance, listCashBalances } from './read.ts';
import { upsertCashBalance } from './upsert.ts';

const today = '2026-01-10';
const clock = createTestClock(`${today}T09:30:00.007Z`);
const fixture = useFixture(clock);
const { context } = fixture;

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
