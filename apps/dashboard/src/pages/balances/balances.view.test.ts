// Risk: a filter shows balances other than it says, and cash is counted from them.
import { expect, test } from 'vitest';
import { balanceFilters } from './balances.view.ts';

test('days, source and connection go to the service as they are; latest is on or off', () => {
  const { filters } = balanceFilters(
    { as_of_from: '2026-03-01', as_of_to: '2026-03-31', connection_id: 'none', source: 'api', latest: 'true' },
    'USD',
  );
  expect(filters).toMatchObject({
    as_of_from: '2026-03-01',
    as_of_to: '2026-03-31',
    connection_id: 'none',
    source: 'api',
    latest: true,
    currency: undefined,
  });
  for (const latest of ['false', '1', 'yes'])
    expect(balanceFilters({ latest }, 'USD').filters['latest']).toBeUndefined();
});

test('amounts are minor units of one currency, whose balances alone are selected', () => {
  expect(balanceFilters({ min: '-0.01' }, 'USD').filters).toMatchObject({ min_balance_cents: -1, currency: 'USD' });
  expect(balanceFilters({ max: '5000', currency: 'JPY' }, 'USD').filters).toMatchObject({
    max_balance_cents: 5000,
    currency: 'JPY',
  });
});

test('an amount that can’t be exact is a fault of its field', () => {
  expect(balanceFilters({ min: '0.5', currency: 'JPY' }, 'USD').faults.min).toContain('no digits');
});
