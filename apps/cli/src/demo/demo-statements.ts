import type { DemoMonth } from './demo-company.ts';

const COGS = ['hosting', 'payment_fees', 'support'];
const OPEX = [
  ['payroll', 'Payroll'],
  ['contractors', 'Contractors'],
  ['berlin', 'Berlin office'],
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

/** The three statements of a month of the US company. `late` costs are left out, as before a correction. */
export function statementsOf(months: readonly DemoMonth[], month: DemoMonth, late: readonly string[] = []) {
  const common = { period_start: month.start, period_end: month.end, currency: 'USD', source: 'demo_books' };
  return [
    { ...common, statement_type: 'income' as const, ...incomeOf(month, late) },
    { ...common, statement_type: 'balance' as const, ...balanceSheetOf(months, month) },
    { ...common, statement_type: 'cashflow' as const, ...cashFlowOf(month) },
  ];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

function incomeOf({ books }: DemoMonth, late: readonly string[] = []) {
  const amountOf = (key: string): number => (late.includes(key) ? 0 : (books.get(key) ?? 0));
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

function balanceSheetOf(months: readonly DemoMonth[], month: DemoMonth) {
  const { cash, owed } = month.closing;
  const until = months.slice(0, months.indexOf(month) + 1);
  const treasury = 0 - sum(until.map(({ books }) => books.get('treasury') ?? 0));
  const capital = CAPITAL + sum(until.map(({ books }) => books.get('financing') ?? 0));
  const [assets, liabilities] = [cash + treasury + EQUIPMENT, PAYABLES + owed];
  const equity = assets - liabilities;
  return {
    totals: {
      cash,
      other_current_assets: treasury,
      current_assets: cash + treasury,
      fixed_assets: EQUIPMENT,
      total_assets: assets,
      accounts_payable: PAYABLES,
      credit_cards: owed,
      total_liabilities: liabilities,
      retained_earnings: equity - capital,
      total_equity: equity,
    },
    line_items: [
      { key: 'cash', label: 'Cash', amount_cents: cash },
      { key: 'other_current_assets', label: 'Treasury account', amount_cents: treasury },
      { key: 'fixed_assets', label: 'Equipment', amount_cents: EQUIPMENT },
      { key: 'total_assets', label: 'Total assets', amount_cents: assets, is_total: true },
      { key: 'accounts_payable', label: 'Accounts payable', amount_cents: PAYABLES },
      { key: 'credit_cards', label: 'Credit card', amount_cents: owed },
      { key: 'total_liabilities', label: 'Total liabilities', amount_cents: liabilities, is_total: true },
      { key: 'paid_in_capital', label: 'Paid-in capital', amount_cents: capital },
      { key: 'retained_earnings', label: 'Retained earnings', amount_cents: equity - capital },
      { key: 'total_equity', label: 'Total equity', amount_cents: equity, is_total: true },
    ],
  };
}

function cashFlowOf(month: DemoMonth) {
  const { opening, closing, books } = month;
  const { net_income } = incomeOf(month).totals;
  const [investing, financing] = [books.get('treasury') ?? 0, books.get('financing') ?? 0];
  const operating = net_income + closing.owed - opening.owed;
  const change = operating + investing + financing;
  return {
    totals: {
      net_income,
      operating_cash_flow: operating,
      investing_cash_flow: investing,
      financing_cash_flow: financing,
      net_change_in_cash: change,
      opening_cash: opening.cash,
      closing_cash: closing.cash,
    },
    line_items: [
      { key: 'operating_cash_flow', label: 'Operating cash flow', amount_cents: operating },
      { key: 'investing_cash_flow', label: 'To the treasury account', amount_cents: investing },
      { key: 'financing_cash_flow', label: 'Raised', amount_cents: financing },
      { key: 'net_change_in_cash', label: 'Net change in cash', amount_cents: change, is_total: true },
      { key: 'opening_cash', label: 'Opening cash', amount_cents: opening.cash },
      { key: 'closing_cash', label: 'Closing cash', amount_cents: closing.cash, is_total: true },
    ],
  };
}
