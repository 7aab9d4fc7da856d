import { fieldOf } from '../../lib/problem.ts';
import type { Snapshot, StatementType } from './statement.view.ts';

const lines: Readonly<
  Record<StatementType, readonly [key: string, label: string, amount: number, isTotal: boolean][]>
> = {
  income: [
    ['revenue', 'Revenue', 9_000_000, false],
    ['cogs', 'Cost of revenue', -2_000_000, false],
    ['gross_profit', 'Gross profit', 7_000_000, true],
    ['opex', 'Operating expenses', -5_800_000, false],
    ['net_income', 'Net income', 1_200_000, true],
  ],
  balance: [
    ['cash', 'Cash', 41_250_000, false],
    ['total_assets', 'Total assets', 41_250_000, true],
    ['accounts_payable', 'Accounts payable', 1_250_000, false],
    ['total_liabilities', 'Total liabilities', 1_250_000, true],
    ['retained_earnings', 'Retained earnings', 40_000_000, false],
    ['total_equity', 'Total equity', 40_000_000, true],
  ],
  cashflow: [
    ['operating_cash_flow', 'From operations', 1_500_000, false],
    ['investing_cash_flow', 'From investing', -300_000, false],
    ['financing_cash_flow', 'From financing', 0, false],
    ['net_change_in_cash', 'Net change in cash', 1_200_000, true],
  ],
};

export function hasExampleFigures(body: object): boolean {
  const items = fieldOf(body, 'line_items');
  if (!Array.isArray(items)) return false;
  const amounts = JSON.stringify(items.map((item: unknown) => fieldOf(item, 'amount_cents')));
  return Object.values(lines).some((example) => JSON.stringify(example.map(([, , amount]) => amount)) === amounts);
}

export function snapshotText(begin: Snapshot | StatementType, currency: string): string {
  if (typeof begin !== 'string') {
    const { statement_type, period_start, period_end, totals, line_items, source } = begin;
    const body = { statement_type, period_start, period_end, currency: begin.currency, source, totals, line_items };
    return JSON.stringify(body, null, 2);
  }
  const items = lines[begin].map(([key, label, amount_cents, is_total]) => ({
    key,
    label,
    amount_cents,
    ...(is_total ? { is_total } : { indent: 1 }),
  }));
  const period = begin === 'balance' ? {} : { period_start: '2026-02-01' };
  const body = {
    statement_type: begin,
    ...period,
    period_end: '2026-02-28',
    currency,
    source: 'dashboard',
    line_items: items,
  };
  return JSON.stringify(body, null, 2);
}
