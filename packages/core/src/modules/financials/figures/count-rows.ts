import { dueUntil } from '../../../kernel/calendar.ts';
import type { Context } from '../../../kernel/context.ts';
import type { CashView } from '../../cash/cash-on-hand.ts';
import { readCardPayments } from './card-payments.ts';
import { type FigureRules, normalizeCategory } from './figure-rules.ts';
import { adjustSeries } from './late-series.ts';
import { leaveOut, openMonths } from './leave-out.ts';
import type { TransferRow } from './pair-transfers.ts';
import { type Flows, readFlows } from './read-flows.ts';
import { pairedIn, readTransferSides } from './read-transfers.ts';
import type { RowSource } from './row-source.ts';

/** Months of a company after excluded connections, categories, payments of cards and pairs. */
export interface CountedRows extends Flows, RowSource {
  sides: readonly TransferRow[];
  paired: readonly TransferRow[];
  /** The months with payments of cards that count. */
  paidCardsIn: ReadonlySet<string>;
  /** The ids of the rows that are left out because of more than their category: transfers to cards, and pairs. */
  leftOut: ReadonlySet<string>;
}

/** Who decides what counts, and the first month. Pairs are found from the month after it on. */
interface Scope {
  cash: CashView;
  rules: FigureRules;
  fromMonth: string;
  seeksRepeated?: boolean;
}

export async function countRows(context: Context, scope: Scope): Promise<CountedRows> {
  const { cash, rules, fromMonth, seeksRepeated } = scope;
  const known = await readFlows(context, cash, rules, fromMonth, seeksRepeated);
  const { windows } = known;
  const source = { cash, rules, replaced: known.replaced };
  const from = Date.parse(windows[0]?.from ?? '');
  const to = Math.min(Date.parse(windows.at(-1)?.to ?? ''), dueUntil(cash.zone, cash.today));
  const payments = await readCardPayments(context, source, from, to);
  const cards = payments.transfers;
  const cardIds = new Set(cards.map(({ id }) => id));
  const sides = await readTransferSides(context, source, known, cardIds);
  const isCounted = ({ connectionId }: TransferRow): boolean => !rules.uncountedConnections.includes(connectionId);
  const paired = pairedIn(sides, windows).filter(isCounted);
  // A category or a card calls these transfers already.
  const found = (rules.excludeSuspectedTransfers ? paired : []).filter(
    (row) => !cardIds.has(row.id) && !rules.transferCategories.includes(normalizeCategory(row.category)),
  );
  const transfers = [...cards, ...found];
  const flows = leaveOut(known.flows, windows, transfers, 'transfer');
  const late = adjustSeries(known.late, transfers, (own, rows) => leaveOut(own, windows, rows, 'transfer'));
  const monthOf = openMonths(windows);
  const paidCardsIn = new Set(payments.counted.flatMap(({ postedAt }) => monthOf(postedAt) ?? []));
  const leftOut = new Set(transfers.map(({ id }) => id));
  return { ...known, ...source, flows, late, sides, paired, paidCardsIn, leftOut };
}
