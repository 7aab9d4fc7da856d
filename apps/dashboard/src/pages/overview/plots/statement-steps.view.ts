import { formatMoney } from '@finhook/contracts/currency';
import { roundMoney } from '../../../lib/exact-cents.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import type { PlotRow } from './plot.tsx';

export type Snapshot = Outputs['financials']['snapshots']['list']['data'][number];

/** A bar between two heights: a total, or a change from one total to the next. */
interface Step {
  name: string;
  kind: 'total' | 'change';
  value: bigint;
}

interface StepRow extends PlotRow {
  kind: 'total' | 'rise' | 'fall';
  span: [from: number, to: number];
  figure: string;
  short: string;
}

/** The value of a key in whole minor units: its total, else its line item; undefined if the statement has neither. */
function figureOf({ totals, line_items }: Snapshot, key: string): bigint | undefined {
  const total = totals[key];
  if (total !== undefined && Number.isFinite(total)) return BigInt(Math.round(total));
  const lines = line_items.filter((item) => item.key === key);
  const whole = lines.find((item) => item.is_total);
  if (lines.length === 0) return undefined;
  return whole ? BigInt(whole.amount_cents) : lines.reduce((sum, item) => sum + BigInt(item.amount_cents), 0n);
}

/** The value of a cost as a deduction: its total is positive, its line item negative. */
function costOf(snapshot: Snapshot, key: string): bigint | undefined {
  const value = figureOf(snapshot, key);
  return value === undefined || snapshot.totals[key] === undefined ? value : -value;
}

type Plan = ReadonlyArray<readonly [key: string, name: string, kind: 'total' | 'change' | 'cost']>;

const incomePlan: Plan = [
  ['revenue', 'Revenue', 'total'],
  ['cogs', 'Cost of sales', 'cost'],
  ['gross_profit', 'Gross profit', 'total'],
  ['opex', 'Operating expenses', 'cost'],
  ['operating_income', 'Operating income', 'total'],
  ['other_income', 'Other income', 'change'],
  ['other_expense', 'Other expense', 'cost'],
  ['interest_expense', 'Interest', 'cost'],
  ['income_tax', 'Income tax', 'cost'],
  ['net_income', 'Net income', 'total'],
];

export function incomeSteps(snapshot: Snapshot): Step[] {
  return incomePlan.flatMap(([key, name, kind]) => {
    const value = kind === 'cost' ? costOf(snapshot, key) : figureOf(snapshot, key);
    return value === undefined ? [] : [{ name, value, kind: kind === 'total' ? 'total' : 'change' }];
  });
}

const cashFlows: ReadonlyArray<readonly [key: string, name: string]> = [
  ['operating_cash_flow', 'Operating'],
  ['investing_cash_flow', 'Investing'],
  ['financing_cash_flow', 'Financing'],
  ['fx_effect', 'Exchange rates'],
];

export function cashSteps(snapshot: Snapshot): Step[] {
  const flows = cashFlows.flatMap(([key, name]) => {
    const value = figureOf(snapshot, key);
    return value === undefined ? [] : [{ name, value, kind: 'change' as const }];
  });
  const change = figureOf(snapshot, 'net_change_in_cash') ?? flows.reduce((sum, { value }) => sum + value, 0n);
  const [opening, closing] = [figureOf(snapshot, 'opening_cash'), figureOf(snapshot, 'closing_cash')];
  const start = opening ?? (closing === undefined ? undefined : closing - change);
  if (start === undefined) return [];
  return [
    { name: 'Opening cash', value: start, kind: 'total' },
    ...flows,
    { name: 'Closing cash', value: closing ?? start + change, kind: 'total' },
  ];
}

/** Consecutive bars. An unexplained difference between a total and its steps gets a bar of its own. */
export function stepRows(steps: readonly Step[], currency: string): StepRow[] {
  const rows: StepRow[] = [];
  let level = 0n;
  const addRow = (name: string, from: bigint, to: bigint, isTotal: boolean): void => {
    const value = isTotal ? to : to - from;
    const figure = formatMoney(value, currency);
    const kind = isTotal ? 'total' : value < 0n ? 'fall' : 'rise';
    const short = roundMoney(Number(value), currency);
    rows.push({ kind, span: [Number(from), Number(to)], figure, short, label: name, tip: [['Amount', figure]] });
  };
  for (const [i, { name, kind, value }] of steps.entries()) {
    if (kind === 'total') {
      if (i > 0 && value !== level) addRow('Other', level, value, false);
      addRow(name, 0n, value, true);
      level = value;
    } else {
      addRow(name, level, level + value, false);
      level += value;
    }
  }
  return rows;
}
