import { dueUntil } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import type { CashView } from '../../cash/cash-on-hand.ts';
import { readCardPayments } from './card-payments.ts';
import { type FigureRules, normalizeCategory } from './figure-rules.ts';
import { createMonthLookup, type KeyedRow, leaveOut } from './leave-out.ts';
import { addMonths } from './months.ts';
import type { TransferPair, TransferRow } from './pair-transfers.ts';
import { type FlowOptions, type Flows, readFlows } from './read-flows.ts';
import { pairsIn, readTransferSides } from './read-transfers.ts';
import type { RowSource } from './row-source.ts';

export interface CountedRows extends Flows, RowSource {
  pairs: readonly TransferPair[];
  /** The rows of `pairs` in all `windows` but the first, without those of `rules.uncountedConnections`. */
  paired: readonly TransferRow[];
  cardIds: ReadonlySet<string>;
  paidCardsIn: ReadonlySet<string>;
  cardReceivers: ReadonlySet<string>;
  /** Rows that are left out one by one (payments of cards and pairs), and their ids. */
  transfers: readonly KeyedRow[];
  leftOut: ReadonlySet<string>;
}

interface Scope extends FlowOptions {
  cash: CashView;
  rules: FigureRules;
  /** Pairs are found in the months after it. */
  fromMonth: string;
  /** The last month whose rows are read one by one; the current one if absent. */
  toMonth?: string | undefined;
}

export async function countRows(context: Context, scope: Scope): Promise<CountedRows> {
  const { cash, rules, fromMonth, toMonth } = scope;
  const known = await readFlows(context, cash, rules, fromMonth, scope);
  // A row of the last month may be in a pair with one of the next.
  const windows = known.windows.filter(({ month }) => toMonth === undefined || month <= addMonths(toMonth, 1));
  const { replaced, flowRules } = known;
  const source = { cash, rules, replaced, flowRules };
  const from = Date.parse(windows[0]?.from ?? '');
  const to = Math.min(Date.parse(windows.at(-1)?.to ?? ''), dueUntil(cash.zone, cash.today));
  const payments = await readCardPayments(context, source, from, to);
  const cards = payments.transfers;
  const cardIds = new Set(cards.map(({ id }) => id));
  const sides = await readTransferSides(context, source, { ...known, windows }, cardIds);
  const pairs = pairsIn(sides, windows);
  const monthOf = createMonthLookup(windows.slice(1));
  const paired = pairs
    .flatMap((pair) => [pair.out, pair.in])
    .filter((row) => monthOf(row.postedAt) && !rules.uncountedConnections.includes(row.connectionId));
  // The sums already leave out transfers by a person, a rule or a category.
  const found = (rules.excludeSuspectedTransfers ? paired : []).filter(
    (row) =>
      row.flowClass === '' &&
      !cardIds.has(row.id) &&
      !rules.transferCategories.includes(normalizeCategory(row.category)),
  );
  const transfers = [...cards, ...found];
  const flows = leaveOut(known.flows, windows, transfers, 'transfer');
  const late = known.late.map((series) => {
    const own = transfers.filter(({ connectionId }) => connectionId === series.connectionId);
    return { ...series, flows: leaveOut(series.flows, windows, own, 'transfer') };
  });
  const anyMonthOf = createMonthLookup(windows);
  const paidCardsIn = new Set(payments.counted.flatMap(({ postedAt }) => anyMonthOf(postedAt) ?? []));
  const leftOut = new Set(transfers.map(({ id }) => id));
  const cardRows = { cardIds, paidCardsIn, cardReceivers: payments.receivers };
  return { ...known, ...source, windows, flows, late, pairs, paired, ...cardRows, transfers, leftOut };
}
