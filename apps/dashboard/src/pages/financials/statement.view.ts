import { formatMoney } from '@finhook/contracts/currency';
import type { Outputs } from '../../lib/trpc.ts';

export type Snapshot = Outputs['financials']['snapshots']['get'];
export type Revision = Outputs['financials']['snapshots']['revisions']['data'][number];
export type StatementType = Snapshot['statement_type'];
export type StatementContent = Pick<Snapshot, 'statement_type' | 'totals' | 'line_items'>;

export const statementTypes: Readonly<Record<StatementType, string>> = {
  income: 'Income statement',
  balance: 'Balance sheet',
  cashflow: 'Cash flow statement',
};

export function isStatementType(text: string | undefined): text is StatementType {
  return text !== undefined && Object.hasOwn(statementTypes, text);
}

export interface StatementRow {
  key: string;
  label: string;
  /** Minor units; a posted total may have a fraction. */
  amount: number;
  isTotal: boolean;
  indent: number;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const known: Readonly<Record<StatementType, readonly string[]>> = {
  income: words(`
    revenue cogs gross_profit opex operating_income other_income other_expense interest_expense income_tax net_income
  `),
  balance: words(`
    cash accounts_receivable inventory other_current_assets current_assets fixed_assets other_assets total_assets
    accounts_payable credit_cards other_current_liabilities current_liabilities long_term_liabilities total_liabilities
    retained_earnings total_equity total_liabilities_and_equity
  `),
  cashflow: words(`
    net_income operating_cash_flow investing_cash_flow financing_cash_flow fx_effect
    net_change_in_cash opening_cash closing_cash
  `),
};
const ASSETS = new Set(known.balance.slice(0, known.balance.indexOf('total_assets') + 1));
const sums = new Set(['gross_profit', 'operating_income', 'current_assets', 'current_liabilities']);
const lastSum: Readonly<Record<StatementType, readonly string[]>> = {
  income: ['net_income'],
  balance: ['total_assets', 'total_liabilities', 'total_equity', 'total_liabilities_and_equity'],
  cashflow: ['net_change_in_cash', 'closing_cash'],
};

export function labelOf(key: string): string {
  const text = key.replaceAll('_', ' ').trim();
  return text === '' ? key : text.charAt(0).toUpperCase() + text.slice(1);
}

export function statementRows({ statement_type: type, totals, line_items }: StatementContent): StatementRow[] {
  if (line_items.length > 0) {
    return line_items.map(({ key, label, amount_cents, is_total, indent }) => ({
      key,
      label: label === '' ? labelOf(key) : label,
      amount: amount_cents,
      isTotal: is_total,
      indent,
    }));
  }
  const rank = (key: string): number => (known[type].includes(key) ? known[type].indexOf(key) : known[type].length);
  return Object.entries(totals)
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([key, amount]) => ({
      key,
      label: labelOf(key),
      amount,
      isTotal: sums.has(key) || lastSum[type].includes(key),
      indent: 0,
    }));
}

export function totalsBeside({ totals, line_items }: StatementContent): [key: string, amount: number][] {
  if (line_items.length === 0) return [];
  const shown = new Set(line_items.map(({ key }) => key));
  return Object.entries(totals).filter(([key]) => !shown.has(key));
}

export interface Sheet {
  assets: StatementRow[];
  claims: StatementRow[];
}

/**
 * Splits a balance sheet into assets, and liabilities with equity: at the rows that end a side, else by known keys.
 * Undefined if there is only one side.
 */
export function splitSheet(rows: readonly StatementRow[]): Sheet | undefined {
  const end = rows.findIndex(({ key }) => key === 'total_assets');
  const other = rows.findIndex(({ key }) => key === 'total_liabilities_and_equity');
  const sheet =
    end >= 0 && other < end && other >= 0
      ? { assets: rows.slice(other + 1), claims: rows.slice(0, other + 1) }
      : end >= 0
        ? { assets: rows.slice(0, end + 1), claims: rows.slice(end + 1) }
        : byKeys(rows);
  return sheet.assets.length > 0 && sheet.claims.length > 0 ? sheet : undefined;
}

function byKeys(rows: readonly StatementRow[]): Sheet {
  const sheet: Sheet = { assets: [], claims: [] };
  let side: keyof Sheet = 'assets';
  for (const row of rows) {
    if (ASSETS.has(row.key)) side = 'assets';
    else if (known.balance.includes(row.key)) side = 'claims';
    sheet[side].push(row);
  }
  return sheet;
}

export function headlineOf({ statement_type, line_items, totals }: StatementContent): number | undefined {
  const [key = ''] = lastSum[statement_type];
  return line_items.findLast((item) => item.key === key)?.amount_cents ?? totals[key];
}

export function statementAmount(amount: number | string, currency: string): string {
  if (typeof amount === 'number' && !Number.isInteger(amount)) return `${amount} minor units`;
  return formatMoney(amount, currency);
}
