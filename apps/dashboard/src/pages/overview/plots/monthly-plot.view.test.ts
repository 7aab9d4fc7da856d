// Risk: a month without transactions disappears, or the current month looks complete.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import { closingBalances, monthlyChoices, monthRows } from './monthly-plot.view.ts';

type Monthly = Parameters<typeof monthRows>[0];
type Month = Monthly['months'][number];
type Flow = Month['flows'][number];

/** Unknown, as of a company without balances. */
const cash = { closing_cash_cents: null, runway_months: null, net_burn_3m_cents: null };

const month = (name: string, currency?: string, isPartial = false) =>
  partial<Month>({
    month: name,
    partial: isPartial,
    flows:
      currency === undefined ? [] : [partial<Flow>({ ...cash, currency, money_in_cents: 500, money_out_cents: 700 })],
  });
const monthly = (months: Month[]) => partial<Monthly>({ months });
const usd = { currency: 'USD', isTotal: false };

test('months before the first flow are left out, those after it are zero, the current one is marked', () => {
  const rows = monthRows(
    monthly([month('2026-01'), month('2026-02', 'USD'), month('2026-03'), month('2026-04', 'USD', true)]),
    usd,
  );
  expect(rows.map((row) => [row.label, row.partial])).toEqual([
    ['Feb 2026', false],
    ['Mar 2026', false],
    ['Apr 2026 to date', true],
  ]);
});

test('the line of whole months excludes the net of the current month', () => {
  const rows = monthRows(monthly([month('2026-03', 'USD'), month('2026-04', 'USD', true)]), usd);
  expect(rows.map(({ net, netToDate }) => [net, netToDate])).toEqual([
    [-200, null],
    [null, -200],
  ]);
});

test('other currencies are left out', () => {
  expect(monthRows(monthly([month('2026-02', 'JPY')]), usd)).toEqual([]);
});

test('the total of several currencies is offered first, and has the figures of the total', () => {
  const eur = month('2026-02', 'EUR');
  const both = partial<Month>({
    ...eur,
    flows: [...eur.flows, ...month('2026-02', 'USD').flows],
    total: partial<NonNullable<Month['total']>>({
      currency: 'USD',
      ...cash,
      money_in_cents: 1_000,
      money_out_cents: 1_500,
    }),
  });
  const [all, ...single] = monthlyChoices(monthly([both]), 'USD');
  expect(single.map(({ currency }) => currency)).toEqual(['USD', 'EUR']);
  expect(all && monthRows(monthly([both]), all).map(({ moneyIn, moneyOut }) => [moneyIn, moneyOut])).toEqual([
    [1_000, 1_500],
  ]);
  const noRates = partial<Month>({ ...both, total: null });
  expect(monthlyChoices(monthly([noRates]), 'USD').map(({ isTotal }) => isTotal)).toEqual([false, false]);
  expect(monthlyChoices(monthly([month('2026-02', 'USD')]), 'USD')).toEqual([usd]);
});

test('the closing cash and the runway of a month are known or missing, and never zero instead', () => {
  const known = partial<Flow>({ currency: 'USD', closing_cash_cents: 34_000, runway_months: 5.6 });
  const growing = partial<Flow>({ ...cash, currency: 'USD', net_burn_3m_cents: -1 });
  const unknown = partial<Flow>({ ...cash, currency: 'USD' });
  const months = [known, growing, unknown].map((flow, i) => partial<Month>({ month: `2026-0${i + 1}`, flows: [flow] }));
  const rows = monthRows(monthly(months), usd);
  expect(rows.map(({ closing, tip }) => [closing, ...tip.slice(3).map(([, figure]) => figure)])).toEqual([
    [34_000, '$340.00', '5.6 months'],
    [null, '–', 'Cash-flow positive'],
    [null, '–', '–'],
  ]);
});

test('the closing cash of a month is made of its last balances, that of the current month of the current ones', () => {
  const rows = monthRows(monthly([month('2026-03', 'USD'), month('2026-04', 'USD', true)]), usd);
  expect(rows.map((row) => closingBalances(row, usd))).toEqual([
    { until: '2026-03', currency: 'USD' },
    { until: undefined, currency: 'USD' },
  ]);
});
