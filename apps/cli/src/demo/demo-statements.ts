import type { DemoMonth } from './demo-company.ts';

const COGS = ['hosting', 'payment_fees'];
const OPEX = [
  ['payroll', 'Payroll'],
  ['contractors', 'Contractors'],
  ['marketing', 'Marketing'],
  ['rent', 'Rent'],
  ['software', 'Software'],
  ['insurance', 'Insurance'],
  ['travel', 'Travel'],
  ['meals', 'Meals'],
  ['bank_fees', 'Bank fees'],
] as const;
const EQUIPMENT = 6_400_000;
const PAYABLES = 3_150_000;
const CAPITAL = 400_000_000;

/** The three statements of a month, on a cash basis. Without `late` costs, as the books had them before a correction. */
export function statementsOf(month: DemoMonth, late: readonly string[] = []) {
  const common = { period_start: month.start, period_end: month.end, currency: 'USD', source: 'demo_books' };
  return [
    { ...common, statement_type: 'income' as const, ...incomeOf(month, late) },
    { ...common, statement_type: 'balance' as const, ...balanceSheetOf(month) },
    { ...common, statement_type: 'cashflow' as const, ...cashFlowOf(month) },
  ];
}

function incomeOf({ byCategory }: DemoMonth, late: readonly string[]) {
  const amountOf = (category: string): number => (late.includes(category) ? 0 : (byCategory.get(category) ?? 0));
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  const costs = OPEX.map(([key, label]) => ({ key, label, amount_cents: amountOf(key), indent: 1 }));
  const [revenue, cogs, interest] = [amountOf('revenue'), sum(COGS.map(amountOf)), amountOf('interest')];
  const opex = sum(costs.map(({ amount_cents }) => amount_cents));
  const [gross, operating] = [revenue + cogs, revenue + cogs + opex];
  const net = operating + interest;
  return {
    totals: {
      revenue,
      cogs: -cogs,
      gross_profit: gross,
      opex: -opex,
      operating_income: operating,
      other_income: interest,
      net_income: net,
    },
    line_items: [
      { key: 'revenue', label: 'Revenue', amount_cents: revenue },
      { key: 'cogs', label: 'Cost of sales', amount_cents: cogs },
      { key: 'gross_profit', label: 'Gross profit', amount_cents: gross, is_total: true },
      ...costs,
      { key: 'opex', label: 'Operating expenses', amount_cents: opex, is_total: true },
      { key: 'operating_income', label: 'Operating income', amount_cents: operating, is_total: true },
      { key: 'other_income', label: 'Interest', amount_cents: interest },
      { key: 'net_income', label: 'Net income', amount_cents: net, is_total: true },
    ],
  };
}

function balanceSheetOf({ closing }: DemoMonth) {
  const assets = closing + EQUIPMENT;
  const equity = assets - PAYABLES;
  return {
    totals: {
      cash: closing,
      current_assets: closing,
      fixed_assets: EQUIPMENT,
      total_assets: assets,
      accounts_payable: PAYABLES,
      total_liabilities: PAYABLES,
      retained_earnings: equity - CAPITAL,
      total_equity: equity,
    },
    line_items: [
      { key: 'cash', label: 'Cash', amount_cents: closing },
      { key: 'fixed_assets', label: 'Equipment', amount_cents: EQUIPMENT },
      { key: 'total_assets', label: 'Total assets', amount_cents: assets, is_total: true },
      { key: 'accounts_payable', label: 'Accounts payable', amount_cents: PAYABLES },
      { key: 'total_liabilities', label: 'Total liabilities', amount_cents: PAYABLES, is_total: true },
      { key: 'paid_in_capital', label: 'Paid-in capital', amount_cents: CAPITAL },
      { key: 'retained_earnings', label: 'Retained earnings', amount_cents: equity - CAPITAL },
      { key: 'total_equity', label: 'Total equity', amount_cents: equity, is_total: true },
    ],
  };
}

function cashFlowOf({ opening, closing }: DemoMonth) {
  const change = closing - opening;
  return {
    totals: {
      net_income: change,
      operating_cash_flow: change,
      net_change_in_cash: change,
      opening_cash: opening,
      closing_cash: closing,
    },
    line_items: [
      { key: 'operating_cash_flow', label: 'Operating cash flow', amount_cents: change },
      { key: 'net_change_in_cash', label: 'Net change in cash', amount_cents: change, is_total: true },
      { key: 'opening_cash', label: 'Opening cash', amount_cents: opening },
      { key: 'closing_cash', label: 'Closing cash', amount_cents: closing, is_total: true },
    ],
  };
}
