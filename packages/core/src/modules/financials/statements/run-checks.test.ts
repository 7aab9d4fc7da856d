// Risk: wrong books pass, or correct books fail so often that warnings are ignored.
import type { FinancialSnapshot } from '@finhook/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RelatedFigures, runChecks } from './run-checks.ts';
import type { StatementContent } from './statement-values.ts';

type Line = [key: string, amount: number, total?: boolean, indent?: number];
const TODAY = '2026-05-20';
const nothing: RelatedFigures = { sameEnd: [], previousCashflow: undefined, bankCash: undefined };

const content = (
  statement_type: FinancialSnapshot['statement_type'],
  totals: Record<string, number>,
  lines: Line[] = [],
): StatementContent => ({
  statement_type,
  period_start: '2026-04-01',
  period_end: '2026-04-30',
  currency: 'USD',
  totals,
  line_items: lines.map(([key, amount_cents, is_total = false, indent = 0]) => ({
    key,
    label: key,
    amount_cents,
    is_total,
    indent,
  })),
});
/** Rows as text: a dot before the key per indent, `=` before the amount of a total. */
const rowsOf = (sheet: string): Line[] =>
  sheet.split('; ').map((row) => {
    const [, dots = '', key = '', total, amount] = /^(\.*)(\w+) (= )?(-?\d+)$/.exec(row) ?? [];
    return [key, Number(amount), total !== undefined, dots.length];
  });
const check = (id: string, subject: StatementContent, related: Partial<RelatedFigures> = {}) =>
  runChecks(subject, { ...nothing, ...related }, TODAY).find((found) => found.id === id);
const statusOf = (id: string, subject: StatementContent, related: Partial<RelatedFigures> = {}) =>
  check(id, subject, related)?.status;

const incomeLines = rowsOf(
  'revenue 1000; cogs -400; gross_profit = 600; opex -500; operating_income = 100; income_tax -30; net_income = 70',
);

test('K1 to K5: an income statement whose lines add up passes, from lines or from totals', () => {
  const fromLines = runChecks(content('income', {}, incomeLines), nothing, TODAY);
  expect(fromLines.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'K1 pass',
    'K2 pass',
    'K3 pass',
    'K4 pass',
    'K5 skip',
    'K11 skip',
    'K14 pass',
  ]);
  const totals = {
    revenue: 1_000,
    cogs: 400,
    gross_profit: 600,
    opex: 500,
    operating_income: 100,
    income_tax: 30,
    net_income: 70,
  };
  expect(['K1', 'K2', 'K3'].map((id) => statusOf(id, content('income', totals)))).toEqual(['pass', 'pass', 'pass']);
  expect(statusOf('K5', content('income', totals, incomeLines))).toBe('pass');
});

test.each<[string, StatementContent, number, number]>([
  ['K1', content('income', { revenue: 1_000, cogs: 400, gross_profit: 650 }), 600, 650],
  ['K2', content('income', { gross_profit: 600, opex: 500, operating_income: 90 }), 100, 90],
  [
    'K3',
    content('income', { operating_income: 100, other_income: 5, interest_expense: 10, income_tax: 0, net_income: 70 }),
    95,
    70,
  ],
  ['K4', content('income', {}, rowsOf('revenue 100; cogs -40; gross_profit = 70; opex -1')), 60, 70],
  ['K5', content('income', { revenue: 90 }, [['revenue', 100]]), 100, 90],
  ['K6', content('balance', { total_assets: 100, total_liabilities: 60, total_equity: 30 }), 90, 100],
  ['K7', content('balance', { current_assets: 50, fixed_assets: 30, other_assets: 10, total_assets: 100 }), 100, 90],
  ['K7', content('balance', { cash: 60, current_assets: 50 }), 50, 60],
  [
    'K8',
    content('cashflow', {
      operating_cash_flow: 5,
      investing_cash_flow: -1,
      financing_cash_flow: -9,
      net_change_in_cash: 0,
    }),
    -5,
    0,
  ],
  ['K9', content('cashflow', { opening_cash: 10, net_change_in_cash: -3, closing_cash: 10 }), 7, 10],
])('%s warns with what was expected and what is', (id, subject, expected, actual) => {
  expect(check(id, subject)).toMatchObject({
    status: 'warn',
    expected_cents: expected,
    actual_cents: actual,
    difference_cents: actual - expected,
  });
});

test('a minor unit of rounding is forgiven for each line, and no more', () => {
  const equation = (total_assets: number) =>
    content('balance', { total_assets, total_liabilities: 60, total_equity: 40 });
  expect([98, 102, 97, 103].map((assets) => statusOf('K6', equation(assets)))).toEqual([
    'pass',
    'pass',
    'warn',
    'warn',
  ]);
});

test('K4 says in amounts what does not add up', () => {
  const rows = rowsOf('revenue 100; opex -140; net_income = 70');
  const { message } = check('K4', content('income', {}, rows)) ?? {};
  expect(message).toBe('net_income is $0.70; its lines add up to -$0.40.');
});

test('K4: sections, sub-sections and running totals are all right', () => {
  const sheet = rowsOf(
    '..cash 50; ..accounts_receivable 20; .current_assets = 70; .fixed_assets 30; total_assets = 100; ' +
      '.accounts_payable 40; total_liabilities = 40; .retained_earnings 60; total_equity = 60; total_liabilities_and_equity = 100',
  );
  expect(check('K4', content('balance', {}, sheet))).toMatchObject({
    status: 'pass',
    message: '5 totals are the sums of their lines.',
  });
  expect(
    statusOf(
      'K4',
      content(
        'balance',
        {},
        sheet.map(([key, amount, ...rest]) => [key, key === 'total_equity' ? 65 : amount, ...rest]),
      ),
    ),
  ).toBe('warn');
});

const K4_VECTORS: [title: string, sheet: string, expected: { status: string; expected_cents?: number }][] = [
  [
    'a total of 0 is the sum of no rows, also below another section',
    '.sales 100; total_revenue = 100; total_cogs = 0; gross_profit = 100',
    { status: 'pass' },
  ],
  ['a total of 0 without any rows is checked', 'total_assets = 0', { status: 'pass' }],
  ['a total without the detail of its rows is not checked', 'total_assets = 1', { status: 'skip' }],
  [
    'equity without rows is not the sum of the liabilities above it',
    'total_assets = 100; accounts_payable 30; credit_cards 10; total_liabilities = 40; total_equity = 60',
    { status: 'pass' },
  ],
  [
    'neither are liabilities without rows the sum of the assets',
    'cash 100; total_assets = 100; total_liabilities = 40; retained_earnings 65; total_equity = 60',
    { status: 'warn', expected_cents: 65 },
  ],
  [
    'a sheet of totals is not checked',
    'total_assets = 100; total_liabilities = 40; total_equity = 60',
    { status: 'skip' },
  ],
  [
    'a sibling above the group is not part of it',
    '.fixed_assets 30; ..cash 50; ..accounts_receivable 20; .current_assets = 70; total_assets = 100',
    { status: 'pass' },
  ],
  [
    'a subtotal that includes a sibling is wrong',
    '.fixed_assets 30; ..cash 50; ..accounts_receivable 20; .current_assets = 100',
    { status: 'warn', expected_cents: 70 },
  ],
  [
    'a subtotal that includes the group before is wrong',
    '.salaries -30; total_payroll = -30; .office -10; total_rent = -40',
    { status: 'warn', expected_cents: -10 },
  ],
  ['a group ends at a row with a smaller indent', '.a 10; b 5; .c 3; .total_c = 3', { status: 'pass' }],
  ['a total may precede its rows', 'total_a = 10; .a 10; total_b = 5; .b 5', { status: 'pass' }],
  [
    'a result follows deeper rows and sums everything above',
    'revenue 100; .payroll -30; .rent -10; net_income = 60',
    { status: 'pass' },
  ],
  [
    'all assets are the subtotal and the deeper rows after it',
    '.cash 100; .accounts_receivable 50; current_assets = 150; .equipment 70; total_assets = 220',
    { status: 'pass' },
  ],
  [
    'all liabilities are the subtotal and the deeper rows after it',
    '.accounts_payable 40; current_liabilities = 40; .loan 25; total_liabilities = 65',
    { status: 'pass' },
  ],
  [
    'ebitda is gross profit less the deeper costs after it',
    'revenue 100; cogs -40; gross_profit = 60; .salaries -30; .rent -10; ebitda = 20',
    { status: 'pass' },
  ],
  [
    'income before tax is revenue less the deeper costs after it',
    'revenue 100; .salaries -30; .rent -10; income_before_tax = 60',
    { status: 'pass' },
  ],
];
test.each(K4_VECTORS)('totals of a sheet: %s', (_, sheet, expected) => {
  expect(check('K4', content('income', {}, rowsOf(sheet)))).toMatchObject(expected);
});

const withoutTax = { operating_income: 100, net_income: 70 };
test.each<[string, StatementContent, { status: string; message?: unknown }]>([
  [
    'a difference is not checked without a tax line, and the line that decides it is named',
    content('income', withoutTax),
    { status: 'skip', message: expect.stringContaining('income_tax') },
  ],
  [
    'a statement that adds up without tax passes',
    content('income', { ...withoutTax, net_income: 100 }),
    { status: 'pass' },
  ],
  ['a synonym names the tax in totals', content('income', { ...withoutTax, taxes: 30 }), { status: 'pass' }],
  [
    'a synonym names the tax in line items',
    content('income', withoutTax, [['provision_for_income_taxes', -30]]),
    { status: 'pass' },
  ],
  ['a named tax that is wrong is a failure', content('income', { ...withoutTax, tax: 20 }), { status: 'warn' }],
])('K3: %s', (_, subject, expected) => {
  expect(check('K3', subject)).toMatchObject(expected);
});

test('K7: with all parts they make the whole, with some they stay below it', () => {
  expect(statusOf('K7', content('balance', { fixed_assets: 30, total_assets: 100 }))).toBe('pass');
  expect(statusOf('K7', content('balance', { fixed_assets: 130, total_assets: 100 }))).toBe('warn');
  expect(statusOf('K7', content('balance', { total_assets: 100 }))).toBe('skip');
});

test('K10: closing cash of the cash flow is cash of the balance sheet, whichever is posted', () => {
  const flow = content('cashflow', { closing_cash: 70 });
  const sheet = content('balance', { cash: 71 });
  expect(statusOf('K10', flow, { sameEnd: [sheet] })).toBe('pass');
  expect(statusOf('K10', sheet, { sameEnd: [{ ...flow, totals: { closing_cash: 80 } }] })).toBe('warn');
  expect(statusOf('K10', sheet, { sameEnd: [{ ...flow, currency: 'EUR' }] })).toBe('skip');
});

test('K11: net income is the same on both statements of one period', () => {
  const income = content('income', { net_income: 70 });
  const flow = content('cashflow', { net_income: 90 });
  expect(statusOf('K11', income, { sameEnd: [flow] })).toBe('warn');
  expect(statusOf('K11', flow, { sameEnd: [{ ...income, totals: { net_income: 90 } }] })).toBe('pass');
  expect(statusOf('K11', income, { sameEnd: [{ ...flow, period_start: '2026-01-01' }] })).toBe('skip');
});

test('K12: cash of the books is the bank’s within a percent, once the period is over', () => {
  const sheet = content('balance', { cash: 10_100 });
  expect(statusOf('K12', sheet, { bankCash: { deposits: 10_000n, investments: 0n } })).toBe('pass');
  expect(statusOf('K12', sheet, { bankCash: { deposits: 9_999n, investments: 0n } })).toBe('warn');
  expect(statusOf('K12', sheet)).toBe('skip');
  expect(statusOf('K12', { ...sheet, period_end: '2026-06-30' }, { bankCash: { deposits: 1n, investments: 0n } })).toBe(
    'skip',
  );
});

test('K13: opening cash is the closing cash of the period just before', () => {
  const before = { ...content('cashflow', { closing_cash: 40 }), period_start: '2026-03-01', period_end: '2026-03-31' };
  const subject = content('cashflow', { opening_cash: 45 });
  expect(statusOf('K13', subject, { previousCashflow: before })).toBe('warn');
  expect(statusOf('K13', subject, { previousCashflow: { ...before, period_end: '2026-02-28' } })).toBe('skip');
});

test.each<[string, Record<string, number>, { id: string; status: string; expected_cents?: number }]>([
  ['a negative cost', { revenue: 100, cogs: -40, gross_profit: 60 }, { id: 'K1', status: 'pass' }],
  ['a negative cost that is a credit', { revenue: 100, cogs: -5, gross_profit: 105 }, { id: 'K1', status: 'pass' }],
  [
    'a negative cost that adds up with neither sign, compared with the nearer sum',
    { revenue: 100, cogs: -40, gross_profit: 70 },
    { id: 'K1', status: 'warn', expected_cents: 60 },
  ],
  [
    'a positive cost that is added',
    { revenue: 100, cogs: 40, gross_profit: 140 },
    { id: 'K1', status: 'warn', expected_cents: 60 },
  ],
  ['negative opex', { gross_profit: 60, opex: -50, operating_income: 10 }, { id: 'K2', status: 'pass' }],
  [
    'all costs negative, from revenue to net income',
    { revenue: 100, cogs: -40, opex: -30, interest_expense: -5, income_tax: -6, net_income: 19 },
    { id: 'K3', status: 'pass' },
  ],
  [
    'costs of either sign in one statement',
    { operating_income: 100, interest_expense: -10, income_tax: 20, net_income: 70 },
    { id: 'K3', status: 'pass' },
  ],
  [
    'a tax credit beside negative costs',
    { revenue: 100, cogs: -40, opex: -70, income_tax: 4, net_income: -6 },
    { id: 'K3', status: 'pass' },
  ],
])('costs of either sign in totals: %s', (_, totals, expected) => {
  expect(check(expected.id, content('income', totals))).toMatchObject(expected);
});

test('whatever signs the costs of a statement that adds up have, its equations hold', () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(Number);
  const signs = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(fc.array(cents, { minLength: 7, maxLength: 7 }), signs, fc.boolean(), (amounts, negative, short) => {
      const [revenue = 0, cogs = 0, opex = 0, other_income = 0, ...others] = amounts;
      const [other_expense = 0, interest_expense = 0, income_tax = 0] = others;
      const gross_profit = revenue - cogs;
      const operating_income = gross_profit - opex;
      const net_income = operating_income + other_income - other_expense - interest_expense - income_tax;
      const costs = Object.entries({ cogs, opex, other_expense, interest_expense, income_tax }).map(
        ([key, cost], i) => [key, negative[i] || i === 0 ? -cost : cost] as const,
      );
      const sums = short ? {} : { gross_profit, operating_income };
      const totals = { revenue, other_income, net_income, ...Object.fromEntries(costs), ...sums };
      const statuses = ['K1', 'K2', 'K3'].map((id) => statusOf(id, content('income', totals)));
      expect(statuses).toEqual(short ? ['skip', 'skip', 'pass'] : ['pass', 'pass', 'pass']);
    }),
  );
});

test.each<[string, StatementContent, { status: string; message: string }]>([
  [
    'a negative cost',
    content('income', { revenue: 100, cogs: -40, gross_profit: 60 }),
    { status: 'warn', message: 'Costs are positive totals; cogs is negative.' },
  ],
  [
    'several negative costs, beside positive lines',
    content('income', { cogs: -40, opex: 5, income_tax: -1 }, [['opex', 5]]),
    {
      status: 'warn',
      message:
        'Costs are positive totals; cogs, income_tax are negative. Costs are negative line items; opex is positive.',
    },
  ],
  [
    'costs of the usual signs',
    content('income', { cogs: 40, opex: 0 }, [['opex', -5]]),
    { status: 'pass', message: 'Costs are positive totals. Costs are negative line items.' },
  ],
  ['no cost', content('income', { revenue: -1 }), { status: 'skip', message: 'No cost is given.' }],
])('signs of costs: %s', (_, subject, expected) => {
  expect(check('K14', subject)).toMatchObject(expected);
});

test('K14: liabilities posted negative and costs posted positive are pointed out', () => {
  expect(check('K14', content('balance', { accounts_payable: -5, total_liabilities: 10 }))).toMatchObject({
    status: 'warn',
    message: 'Liabilities are positive; accounts_payable is negative.',
    difference_cents: null,
  });
  expect(statusOf('K14', content('income', {}, [['opex', 500]]))).toBe('warn');
  expect(statusOf('K14', content('cashflow', {}))).toBe('skip');
});

test('missing figures are skipped with a message, and nothing throws for any input', () => {
  for (const type of ['income', 'balance', 'cashflow'] as const) {
    const found = runChecks(content(type, {}), nothing, TODAY);
    expect(
      found.every(({ status }) => status === 'skip'),
      type,
    ).toBe(true);
  }
  const key = fc.constantFrom('revenue', 'cogs', 'cash', 'total_assets', 'net_income', '__proto__', 'opening_cash');
  const line = fc.tuple(key, fc.maxSafeInteger(), fc.boolean(), fc.integer({ min: 0, max: 10 }));
  const totals = fc.dictionary(key, fc.double({ noNaN: true, noDefaultInfinity: true }));
  const type = fc.constantFrom('income', 'balance', 'cashflow' as const);
  fc.assert(
    fc.property(type, totals, fc.array(line, { maxLength: 12 }), (of, figures, lines) => {
      const found = runChecks(content(of, figures, lines), nothing, TODAY);
      expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity/);
      for (const { status, difference_cents, difference_string } of found) {
        if (status === 'skip') expect([difference_cents, difference_string]).toEqual([null, undefined]);
      }
    }),
  );
});
