// Risk: the breakdown of one account has rows of another, or leaves out more or less than the account's own.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { type Input, runOperation } from '../../../../test/operation-stage.ts';
import { fillRandomCompany } from '../../../../test/random-company.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);

const leftOut = ['transfer_cents', 'financing_cents', 'excluded_cents'] as const;

test.each([1, 2, 3])('the breakdowns of all accounts add up to that without an account (seed %i)', async (seed) => {
  const { context } = await fixture.otherAccount();
  const { company_id } = await fillRandomCompany(context, clock, seed);
  const range = { company_id, from: '2026-06', to: '2026-11', compare: 'none' };
  const breakdown = (input: Input) => runOperation(context, operations.financials.breakdown, { ...range, ...input });
  const accounts = await context.database.query<{ connection_id: string }>(
    'SELECT DISTINCT connection_id FROM bank_transaction WHERE company_id = $1',
    [company_id],
  );
  expect(accounts.length).toBeGreaterThan(2);
  for (const direction of ['out', 'in']) {
    const all = await breakdown({ direction, by: 'connection' });
    for (const by of ['category', 'counterparty', 'connection']) {
      const sums = { transfer_cents: 0, financing_cents: 0, excluded_cents: 0 };
      for (const { connection_id } of accounts) {
        const own = await breakdown({ direction, by, connection_id: connection_id || 'none' });
        const row = all.rows.find(({ key }) => (key ?? '') === connection_id);
        const count = own.rows.reduce((sum, { transactions }) => sum + transactions, own.other?.transactions ?? 0);
        const expected = [
          row?.total_cents ?? 0,
          row?.transactions ?? 0,
          row?.months ?? own.months.map(({ month }) => ({ month, amount_cents: 0 })),
        ];
        const months = own.months.map(({ month, amount_cents }) => ({ month, amount_cents }));
        expect([connection_id, by, own.total_cents, count, months]).toEqual([connection_id, by, ...expected]);
        for (const name of leftOut) sums[name] += own.left_out[name] ?? 0;
      }
      expect(sums).toEqual(all.left_out);
    }
  }
});
