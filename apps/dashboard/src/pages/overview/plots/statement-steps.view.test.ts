// Risk: the bars of a waterfall or bridge do not lead from the first figure to the last.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import { cashSteps, incomeSteps, type Snapshot, stepRows } from './statement-steps.view.ts';

const snapshot = (totals: Snapshot['totals'], line_items: Snapshot['line_items'] = []) =>
  partial<Snapshot>({ currency: 'USD', totals, line_items });

const spans = (steps: Parameters<typeof stepRows>[0]) =>
  stepRows(steps, 'USD').map(({ label, span }) => [label, ...span]);

test('each bar carries its rounded value', () => {
  const income = snapshot({ revenue: 123_456_789, cogs: 5_000, net_income: 123_451_789 });
  expect(stepRows(incomeSteps(income), 'USD').map(({ short }) => short)).toEqual(['$1.23M', '-$50', '$1.23M']);
});

test('costs take away from revenue, and a gap is named instead of hidden', () => {
  const income = snapshot({ revenue: 1000, cogs: 300, gross_profit: 700, opex: 900, net_income: -250 });
  expect(spans(incomeSteps(income))).toEqual([
    ['Revenue', 0, 1000],
    ['Cost of sales', 1000, 700],
    ['Gross profit', 0, 700],
    ['Operating expenses', 700, -200],
    ['Other', -200, -250],
    ['Net income', 0, -250],
  ]);
});

test('a statement of line items only is read by its keys: costs are negative there', () => {
  const item = (key: string, amount_cents: number, is_total = false) => ({
    key,
    label: key,
    amount_cents,
    is_total,
    indent: 0,
  });
  const income = snapshot({}, [
    item('revenue', 600),
    item('revenue', 400),
    item('opex', -300),
    item('net_income', 700, true),
  ]);
  expect(spans(incomeSteps(income))).toEqual([
    ['Revenue', 0, 1000],
    ['Operating expenses', 1000, 700],
    ['Net income', 0, 700],
  ]);
});

test('a bridge leads from opening to closing cash, also where one of them has to be derived', () => {
  const flows = { operating_cash_flow: -50, financing_cash_flow: 20, net_change_in_cash: -30 };
  const expected = [
    ['Opening cash', 0, 100],
    ['Operating', 100, 50],
    ['Financing', 50, 70],
    ['Closing cash', 0, 70],
  ];
  expect(spans(cashSteps(snapshot({ ...flows, opening_cash: 100, closing_cash: 70 })))).toEqual(expected);
  expect(spans(cashSteps(snapshot({ ...flows, opening_cash: 100 })))).toEqual(expected);
  expect(spans(cashSteps(snapshot({ ...flows, closing_cash: 70 })))).toEqual(expected);
  expect(cashSteps(snapshot(flows))).toEqual([]);
});
