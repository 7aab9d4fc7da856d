// Risk: a statement renders figures other than the posted ones, or puts them on the wrong side of the balance sheet.
import { expect, test } from 'vitest';
import {
  headlineOf,
  labelOf,
  type StatementContent,
  splitSheet,
  statementAmount,
  statementRows,
  totalsBeside,
} from './statement.view.ts';

type Line = [key: string, amount: number, total?: boolean, indent?: number];
const content = (
  statement_type: StatementContent['statement_type'],
  lines: Line[],
  totals: Record<string, number> = {},
): StatementContent => ({
  statement_type,
  totals,
  line_items: lines.map(([key, amount_cents, is_total = false, indent = 0]) => ({
    key,
    label: '',
    amount_cents,
    is_total,
    indent,
  })),
});
const keys = (rows: readonly { key: string }[] | undefined) => rows?.map(({ key }) => key);

test.each([
  [123_456_789, 'USD', '$1,234,567.89'],
  [-5, 'USD', '-$0.05'],
  [-1_234_567, 'KWD', '-KWD\u00A01,234.567'],
  [1e21, 'JPY', '¥1,000,000,000,000,000,000,000'],
  [12.5, 'USD', '12.5 minor units'],
])('%s in %s is shown as %s', (amount, currency, text) => {
  expect(statementAmount(amount, currency)).toBe(text);
});

test('line items keep their order, and a row without a label shows its key', () => {
  const rows = statementRows(
    content('income', [
      ['net_income', 5, true],
      ['revenue', 9, false, 2],
    ]),
  );
  expect(rows).toEqual([
    { key: 'net_income', label: 'Net income', amount: 5, isTotal: true, indent: 0 },
    { key: 'revenue', label: 'Revenue', amount: 9, isTotal: false, indent: 2 },
  ]);
});

test('a statement of totals only shows them in the usual order, unknown ones last', () => {
  const rows = statementRows(
    content('cashflow', [], { headcount: 7, closing_cash: 9, net_income: 1, opening_cash: 8 }),
  );
  expect(keys(rows)).toEqual(['net_income', 'opening_cash', 'closing_cash', 'headcount']);
  expect(rows.map(({ isTotal }) => isTotal)).toEqual([false, false, true, false]);
});

test('totals without a line are listed separately', () => {
  expect(totalsBeside(content('income', [['revenue', 9]], { revenue: 9, headcount: 7 }))).toEqual([['headcount', 7]]);
  expect(totalsBeside(content('income', [], { revenue: 9 }))).toEqual([]);
});

test('a balance sheet has its assets on one side, whichever side comes first', () => {
  const assets: Line[] = [
    ['cash', 1],
    ['till', 2],
    ['total_assets', 3, true],
  ];
  const claims: Line[] = [
    ['accounts_payable', 1],
    ['founders', 2],
    ['total_liabilities_and_equity', 3, true],
  ];
  for (const lines of [
    [...assets, ...claims],
    [...claims, ...assets],
  ]) {
    const sheet = splitSheet(statementRows(content('balance', lines)));
    expect(keys(sheet?.assets)).toEqual(['cash', 'till', 'total_assets']);
    expect(keys(sheet?.claims)).toEqual(['accounts_payable', 'founders', 'total_liabilities_and_equity']);
  }
});

test('without total assets the known keys decide, and an unknown row joins the row above it', () => {
  const sheet = splitSheet(
    statementRows(
      content('balance', [
        ['cash', 1],
        ['till', 1],
        ['accounts_payable', 1],
        ['iou', 1],
        ['inventory', 1],
      ]),
    ),
  );
  expect(keys(sheet?.assets)).toEqual(['cash', 'till', 'inventory']);
  expect(keys(sheet?.claims)).toEqual(['accounts_payable', 'iou']);
});

test('a balance sheet with one side is not split', () => {
  expect(
    splitSheet(
      statementRows(
        content('balance', [
          ['cash', 1],
          ['total_assets', 1, true],
        ]),
      ),
    ),
  ).toBeUndefined();
  expect(splitSheet([])).toBeUndefined();
});

test('the list shows the figure of the line, else of the totals, else none', () => {
  expect(headlineOf(content('income', [['net_income', 5]], { net_income: 6 }))).toBe(5);
  expect(headlineOf(content('balance', [], { total_assets: 6 }))).toBe(6);
  expect(headlineOf(content('cashflow', [['x', 1]]))).toBeUndefined();
});

test('a key without words is its own label', () => {
  expect([labelOf('net_income'), labelOf('_'), labelOf('<b>')]).toEqual(['Net income', '_', '<b>']);
});
