// Risk: a line shows the twelve months of another, or a currency cannot be chosen.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { currenciesOf, trendsOf } from './trend.view.ts';

test('each key has its months', () => {
  const months = [
    { month: '2026-09', amount_cents: 5 },
    { month: '2026-10', amount_cents: null, amount_string: '90071992547409930' },
  ];
  const trends = trendsOf(partial<Parameters<typeof trendsOf>[0]>({ rows: [{ key: null, months }] }));
  expect(trends.get(null)).toEqual([
    { month: '2026-09', amount: 5n },
    { month: '2026-10', amount: 90_071_992_547_409_930n },
  ]);
});

test('the base currency is offered first, and each currency once', () => {
  const monthly = partial<NonNullable<Parameters<typeof currenciesOf>[0]>>({
    months: [{ flows: [{ currency: 'USD' }, { currency: 'EUR' }] }, { flows: [{ currency: 'CHF' }] }],
  });
  expect(currenciesOf(monthly, ['USD', 'JPY'])).toEqual(['USD', 'JPY', 'CHF', 'EUR']);
  expect(currenciesOf(undefined, ['USD'])).toEqual(['USD']);
});
