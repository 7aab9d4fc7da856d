import type { RunwayLine } from '@finhook/contracts';
import { addDays, dueUntil, openZone, type Zone } from '../src/kernel/calendar.ts';
import { sumCash } from '../src/modules/cash/cash-on-hand.ts';
import { computeBurn, type MonthFlow } from '../src/modules/financials/figures/compute-burn.ts';
import { computeRunway } from '../src/modules/financials/figures/compute-runway.ts';
import { excludeTransfers, type FigureRules, isExcluded } from '../src/modules/financials/figures/figure-rules.ts';
import { BURN_MONTHS, burnWindow, coverageStart, monthOf } from '../src/modules/financials/figures/months.ts';
import { pairedWithin } from '../src/modules/financials/figures/pair-transfers.ts';
import { monthWindows } from './month-windows.ts';

/** A balance as an export tells it. */
export interface ExportedBalance {
  connection_id: string | null;
  as_of: string;
  balance_cents: number;
  currency: string;
}

/** A transaction as an export tells it. */
export interface ExportedTransaction {
  id: string;
  connection_id: string | null;
  posted_at: string;
  amount_cents: number;
  currency: string;
  category: string | null;
}

interface RecomputeInput {
  balances: readonly ExportedBalance[];
  transactions: readonly ExportedTransaction[];
  timezone: string;
  baseCurrency: string;
  now: Date;
  rules: FigureRules;
  /** Registered connections that are disconnected. */
  disconnected: readonly string[];
  /** Registered connections that replace another; `waiting` ones are pulled, and their backfill is not complete. */
  replacing?: readonly { id: string; replaces: string; waiting?: boolean }[];
  /** The latest `history_from` where every series with transactions that counts has one. */
  historyFrom?: string | undefined;
}

type RunwayFigures = Omit<RunwayLine, 'flags' | 'confidence_reasons' | 'text'>;

/** A line without its flags and their reasons, and without the text, which tells of one. */
export function figuresOf(line: RunwayLine): RunwayFigures {
  const { flags: _, confidence_reasons: __, text: ___, ...figures } = line;
  return figures;
}

/**
 * Runway per currency from rows alone, without a database and without the sums that the service keeps: a second way to
 * the same figures. Fallbacks and flags need more than these rows and are left out.
 */
export function recomputeRunway(input: RecomputeInput): RunwayFigures[] {
  const zone = openZone(input.timezone);
  const today = zone.dayOf(input.now.getTime());
  const due = dueUntil(zone, today);
  const rows = input.transactions.filter(({ posted_at }) => Date.parse(posted_at) < due);
  const isCounted = countedRows(input);
  const known = rows.filter(isCounted);
  const first = known.reduce((least, { posted_at }) => Math.min(least, Date.parse(posted_at)), Infinity);
  const firstDay = Number.isFinite(first) ? zone.dayOf(first) : undefined;
  const window = burnWindow(today, coverageStart({ firstDay, historyFrom: input.historyFrom }));
  const isReplaced = replacedRows(input, zone);
  const flows = flowsOf(rows, input.rules, zone, isReplaced);
  const own = known.filter((row) => !isReplaced(row));
  const counted = input.rules.excludeSuspectedTransfers ? withoutTransfers(input, own, flows, zone) : flows;
  const burns = computeBurn(counted, window);
  const cash = new Map(
    sumCash(latestBalances(input, today), input.baseCurrency).map(({ currency, balance }) => [currency, balance]),
  );
  const spending = burns.filter(({ gross }) => gross.n > 0n).map(({ currency }) => currency);
  const lines = [...new Set([...cash.keys(), ...spending])].map((currency) =>
    computeRunway({
      currency,
      cash: cash.get(currency),
      today,
      window,
      hasTransactions: known.length > 0,
      burn: burns.find((burn) => burn.currency === currency),
      fallback: undefined,
      flags: { stale: false, mixed_currency: false, unexplained: false },
    }),
  );
  return lines.map(figuresOf);
}

function latestBalances({ balances, rules, disconnected }: RecomputeInput, today: string) {
  const until = addDays(today, 1);
  const latest = new Map<string, ExportedBalance & { connection_id: string }>();
  for (const balance of balances) {
    const connection_id = balance.connection_id ?? '';
    const known = latest.get(connection_id);
    if (balance.as_of <= until && (!known || known.as_of < balance.as_of)) {
      latest.set(connection_id, { ...balance, connection_id });
    }
  }
  const left = new Set([...rules.excludedConnections, ...disconnected]);
  return [...latest.values()].filter(({ connection_id }) => !left.has(connection_id));
}

/** Whether a row's connection is neither excluded nor waiting for its backfill. */
function countedRows({ replacing = [], rules }: RecomputeInput) {
  const waiting = replacing.filter((successor) => successor.waiting).map(({ id }) => id);
  const left = new Set([...rules.excludedConnections, ...waiting]);
  return ({ connection_id }: ExportedTransaction): boolean => !left.has(connection_id ?? '');
}

/**
 * Whether a row lies on or after the first day of any connection that replaces its own, itself or in turn, or its own waits
 * for its backfill. One that waits replaces none.
 */
function replacedRows({ transactions, replacing = [], rules }: RecomputeInput, zone: Zone) {
  const dayOf = (row: ExportedTransaction): string => zone.dayOf(Date.parse(row.posted_at));
  const firstDays = new Map<string, string>();
  for (const row of transactions) {
    const id = row.connection_id ?? '';
    const [day, known] = [dayOf(row), firstDays.get(id)];
    if (!rules.excludedConnections.includes(id) && (known === undefined || day < known)) firstDays.set(id, day);
  }
  const cutOf = (id: string): string | undefined =>
    replacing
      .filter(({ replaces }) => replaces === id)
      .flatMap((successor) => [successor.waiting ? undefined : firstDays.get(successor.id), cutOf(successor.id)])
      .filter((day) => day !== undefined)
      .sort()[0];
  const cuts = new Map(replacing.map(({ replaces }) => [replaces, cutOf(replaces)]));
  for (const { id, waiting } of replacing) if (waiting) cuts.set(id, '');
  return (row: ExportedTransaction): boolean => dayOf(row) >= (cuts.get(row.connection_id ?? '') ?? '~');
}

function flowsOf(
  rows: readonly ExportedTransaction[],
  rules: FigureRules,
  zone: Zone,
  isReplaced: (row: ExportedTransaction) => boolean,
): MonthFlow[] {
  const flows = new Map<string, MonthFlow>();
  for (const row of rows) {
    const month = monthOf(zone.dayOf(Date.parse(row.posted_at)));
    const key = `${month} ${row.currency}`;
    const flow = flows.get(key) ?? emptyFlow(month, row.currency);
    const amount = BigInt(row.amount_cents);
    const left = isReplaced(row) || isExcluded(row.category ?? '', row.connection_id ?? '', amount, rules);
    if (amount > 0n) flow[left ? 'excludedIn' : 'moneyIn'] += amount;
    else flow[left ? 'excludedOut' : 'moneyOut'] -= amount;
    flow.transactions++;
    flows.set(key, flow);
  }
  return [...flows.values()];
}

function withoutTransfers(
  { rules, now }: RecomputeInput,
  rows: readonly ExportedTransaction[],
  flows: readonly MonthFlow[],
  zone: Zone,
): MonthFlow[] {
  const sides = rows.map((row) => ({
    id: row.id,
    connectionId: row.connection_id ?? '',
    postedAt: Date.parse(row.posted_at),
    amount: BigInt(row.amount_cents),
    currency: row.currency,
    category: row.category ?? '',
  }));
  return monthWindows(now.getTime(), zone, BURN_MONTHS).reduce<MonthFlow[]>(
    (counted, { month, from, to }) =>
      excludeTransfers(counted, month, pairedWithin(sides, Date.parse(from), Date.parse(to)), rules),
    [...flows],
  );
}

function emptyFlow(month: string, currency: string): MonthFlow {
  return { month, currency, moneyIn: 0n, moneyOut: 0n, excludedIn: 0n, excludedOut: 0n, transactions: 0 };
}
