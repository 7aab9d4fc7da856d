// Risk: a burn has the wrong sign or months, or money in and out do not lead to it.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { baseCurrencyFirst, burnFigures, monthsText } from './burn.view.ts';

type Burn = Parameters<typeof burnFigures>[0];
type Line = Burn['lines'][number];

const line = (currency: string, net: number, gross: number) =>
  partial<Line>({
    currency,
    net_burn_cents: net,
    gross_burn_cents: gross,
    months: [
      { month: '2026-02', net_burn_cents: 1, gross_burn_cents: 2 },
      { month: '2026-03', net_burn_cents: 7, gross_burn_cents: 9 },
    ],
  });
const burn = (lines: Line[], total: Burn['total'] = null) => partial<Burn>({ lines, total });

test('money in is what lies between gross and net burn, and the last month is the newest one', () => {
  const [figures] = burnFigures(burn([line('USD', 300, 800)]), 'USD');
  expect(figures?.moneyIn.digits).toBe('500');
  expect(figures?.last).toEqual({ month: '2026-03', net: { cents: 7, digits: undefined } });
});

test('the total of several currencies replaces them and has the rows of all', () => {
  const total = partial<NonNullable<Burn['total']>>(line('USD', 5, 6));
  const lines = [line('EUR', 1, 1), line('USD', 2, 2)];
  expect(burnFigures(burn(lines, total), 'USD').map(({ net, rowsIn }) => [net.cents, rowsIn])).toEqual([
    [5, undefined],
  ]);
  expect(burnFigures(burn(lines), 'USD').map(({ currency, rowsIn }) => [currency, rowsIn])).toEqual([
    ['USD', 'USD'],
    ['EUR', 'EUR'],
  ]);
});

test('the base currency leads, and the others keep their order', () => {
  const lines = ['CLF', 'EUR', 'JPY', 'USD'].map((currency) => ({ currency }));
  expect(baseCurrencyFirst(lines, 'JPY').map(({ currency }) => currency)).toEqual(['JPY', 'CLF', 'EUR', 'USD']);
  expect(baseCurrencyFirst(lines, 'KWD')).toEqual(lines);
});

test.each([
  [['2026-08', '2026-09', '2026-10'], 'Aug–Oct 2026'],
  [['2025-12', '2026-01'], 'Dec 2025–Jan 2026'],
  [['2026-01'], 'Jan 2026'],
  [[], ''],
])('the months %j are called %s', (months, text) => expect(monthsText(months)).toBe(text));
