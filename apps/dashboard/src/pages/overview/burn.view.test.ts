// Risk: a burn has the wrong sign or months, or money in and out do not lead to it.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { baseCurrencyFirst, burnBefore, burnFigures, monthsText } from './burn.view.ts';

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

test('the three months before the window are those that end just before it', () => {
  type Monthly = Parameters<typeof burnBefore>[0];
  type Month = Monthly['months'][number];
  const month = (name: string, cents: number | null) =>
    partial<Month>({
      month: name,
      flows: [partial<Month['flows'][number]>({ currency: 'USD', net_burn_3m_cents: cents })],
      total: null,
    });
  const months = ['2026-05', '2026-06', '2026-07', '2026-08'].map((name, i) => month(name, i * 100));
  const usd = { currency: 'USD', rowsIn: 'USD' };
  expect(burnBefore(partial<Monthly>({ months }), ['2026-08', '2026-09'], usd)).toEqual({
    months: ['2026-05', '2026-06', '2026-07'],
    net: { cents: 200, digits: undefined },
  });
  const unknown = months.map(({ month: name }) => month(name, null));
  expect(burnBefore(partial<Monthly>({ months: unknown }), ['2026-08'], usd)).toBeUndefined();
  expect(burnBefore(partial<Monthly>({ months }), [], usd)).toBeUndefined();
  // Without a total there is no figure of all currencies.
  expect(burnBefore(partial<Monthly>({ months }), ['2026-08'], { currency: 'USD', rowsIn: undefined })).toBeUndefined();
});
