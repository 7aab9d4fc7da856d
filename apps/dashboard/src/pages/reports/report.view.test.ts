// Risk: a report shows the cash or the runway of another month, or reads too few months.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { monthsToRead, reportFigures, runwayToday } from './report.view.ts';

type Monthly = Parameters<typeof reportFigures>[0];
type Line = Monthly['months'][number]['flows'][number];

test.each([
  ['2026-11', '2026-11-28', 2],
  ['2026-10', '2026-11-28', 3],
  ['2025-12', '2026-01-01', 3],
  ['2024-02', '2024-03-31', 3],
  ['2022-01', '2026-11-28', 60],
  ['2021-12', '2026-11-28', undefined],
  ['2026-12', '2026-11-28', undefined],
  ['2026-13', '2026-11-28', undefined],
  ['soon', '2026-11-28', undefined],
])('a report of %s on %s needs %s months', (month, today, months) => {
  expect(monthsToRead(month, today)).toBe(months);
});

const line = (currency: string, closing_cash_cents: number | null, more: Partial<Line> = {}) =>
  partial<Line>({
    currency,
    closing_cash_cents,
    money_in_cents: 5,
    money_out_cents: 20,
    net_cents: -15,
    net_burn_3m_cents: 10,
    runway_months: 8.3,
    ...more,
  });
const monthly = partial<Monthly>({
  months: [
    { month: '2026-09', flows: [line('USD', 100)], total: line('USD', 130) },
    { month: '2026-10', flows: [line('EUR', 7), line('USD', 85)], total: line('USD', 95) },
    { month: '2026-11', flows: [line('USD', null)], total: null },
  ],
});

test('cash begins with the end of the month before; the total is first, then the base currency', () => {
  const figures = reportFigures(monthly, '2026-10', 'USD');
  const told = figures.map(({ currency, rowsIn, start, end }) => [currency, rowsIn, start.cents, end.cents]);
  expect(told).toEqual([
    ['USD', undefined, 130, 95],
    ['USD', 'USD', 100, 85],
    ['EUR', 'EUR', null, 7],
  ]);
  expect(figures[0]).toMatchObject({
    moneyIn: { cents: 5 },
    moneyOut: { cents: 20 },
    net: { cents: -15 },
    other: { digits: '-20' },
    burn: { cents: 10 },
    runway: '8.3 months',
  });
  // Start, net and other changes are the end; without a start or an end they are not known.
  expect(figures.map(({ other }) => other.digits)).toEqual(['-20', '0', undefined]);
  expect(reportFigures(monthly, '2026-11', 'USD').map(({ start, end }) => [start.cents, end.cents])).toEqual([
    [85, null],
  ]);
  expect(reportFigures(monthly, '2025-01', 'USD')).toEqual([]);
});

test.each<[Partial<Line>, string]>([
  [{ runway_months: 121 }, '10+ years'],
  [{ runway_months: 0 }, '0.0 months'],
  [{ runway_months: null, net_burn_3m_cents: -5 }, 'Cash-flow positive'],
  [{ runway_months: null, net_burn_3m_cents: 5 }, '–'],
  [{ runway_months: null, net_burn_3m_cents: null }, '–'],
])('a month with %j has a runway of %s', (fields, text) => {
  const of = partial<Monthly>({ months: [{ month: '2026-10', flows: [line('USD', 1, fields)], total: null }] });
  expect(reportFigures(of, '2026-10', 'USD').map(({ runway }) => runway)).toEqual([text]);
});

test('the current month has the runway of today, of its currency or of all', () => {
  type Runway = Parameters<typeof runwayToday>[1];
  const runway = partial<Runway>({
    total: { currency: 'USD', status: 'ok', runway_months: 7.1, capped: false },
    lines: [{ currency: 'USD', status: 'ok', runway_months: 6.4, capped: false }],
  });
  const told = (rowsIn: string | undefined, currency = 'USD') => runwayToday({ currency, rowsIn }, runway);
  expect([told(undefined), told('USD'), told('EUR', 'EUR')]).toEqual(['7.1 months', '6.4 months', '–']);
});
