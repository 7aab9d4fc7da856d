import type { RunwayLine } from '@finhook/contracts';
import { addDays, dueUntil, openZone, type Zone } from '../src/kernel/calendar.ts';
import { sumCash } from '../src/modules/cash/cash-on-hand.ts';
import { computeBurn, type MonthFlow } from '../src/modules/financials/figures/compute-burn.ts';
import { computeRunway } from '../src/modules/financials/figures/compute-runway.ts';
import { addMonths, burnWindow, coverageStart, monthOf } from '../src/modules/financials/figures/months.ts';
import { recomputeClasses, words } from './recompute-classes.ts';
import type { RecomputeRules } from './rules-of.ts';

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
  counterparty?: string | null;
}

interface RecomputeInput {
  balances: readonly ExportedBalance[];
  transactions: readonly ExportedTransaction[];
  timezone: string;
  baseCurrency: string;
  now: Date;
  /** The last so many complete months are those of the burn; three by default. */
  months?: number;
  rules: RecomputeRules;
  /** Registered connections that are disconnected. */
  disconnected: readonly string[];
  /** Registered connections that replace another; `waiting` ones are pulled, and their backfill is not complete. */
  replacing?: readonly { id: string; replaces: string; waiting?: boolean }[];
  /** `history_from` of registered connections that have one. */
  historyFrom?: Readonly<Record<string, string>>;
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
  const kept = rows.filter(keptRows(input));
  const known = kept.filter((row) => !['investment', 'restricted', 'loan'].includes(typeOf(input, row)));
  const first = known.reduce((least, { posted_at }) => Math.min(least, Date.parse(posted_at)), Infinity);
  const firstDay = Number.isFinite(first) ? zone.dayOf(first) : undefined;
  const coverageFrom = coverageStart({ firstDay, historyFrom: promisedHistory(input, known) });
  const isReplaced = replacedRows(input, zone);
  const own = kept.filter((row) => !isReplaced(row));
  const classes = recomputeClasses({
    rows: own.map((row) => ({
      id: row.id,
      account: row.connection_id ?? '',
      at: Date.parse(row.posted_at),
      day: zone.dayOf(Date.parse(row.posted_at)),
      amount: row.amount_cents,
      currency: row.currency,
      category: row.category ?? '',
      counterparty: row.counterparty ?? '',
    })),
    rules: input.rules,
    coverageFrom,
    monthSpan: (month) => [firstOf(zone, month), firstOf(zone, addMonths(month, 1))],
  });
  const isCounted = ({ id }: ExportedTransaction): boolean => classes.get(id) === 'counted';
  const window = knownMonths(input, burnWindow(today, coverageFrom, input.months), rows, isCounted, zone);
  const burns = computeBurn(flowsOf(rows, zone, isCounted), window);
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

function typeOf({ rules }: RecomputeInput, { connection_id }: Pick<ExportedTransaction, 'connection_id'>): string {
  return rules.types[connection_id ?? ''] ?? 'depository';
}

function latestBalances(input: RecomputeInput, today: string) {
  const { balances, rules, disconnected } = input;
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
  return [...latest.values()].filter(
    (one) => !left.has(one.connection_id) && ['depository', 'investment'].includes(typeOf(input, one)),
  );
}

/** Whether a row's connection is neither excluded nor waiting for its backfill. */
function keptRows({ replacing = [], rules }: RecomputeInput) {
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

/** The latest `history_from` where every series has one; a successor's does not count beside its predecessor's. */
function promisedHistory({ historyFrom = {}, replacing = [] }: RecomputeInput, rows: readonly ExportedTransaction[]) {
  const series = [...new Set(rows.map(({ connection_id }) => connection_id ?? ''))];
  if (series.some((id) => historyFrom[id] === undefined)) return undefined;
  const later = replacing.filter(({ replaces }) => series.includes(replaces)).map(({ id }) => id);
  return series
    .filter((id) => !later.includes(id))
    .flatMap((id) => historyFrom[id] ?? [])
    .sort()
    .at(-1);
}

/**
 * The months that no main account drops. One that replaces none and has a tenth of the money out in the base currency drops
 * those up to that of its first row, or those that begin before its history. A credit card drops none if bills of cards were
 * counted before the month of its first row.
 */
function knownMonths(
  input: RecomputeInput,
  months: readonly string[],
  rows: readonly ExportedTransaction[],
  isCounted: (row: ExportedTransaction) => boolean,
  zone: Zone,
): string[] {
  const { baseCurrency, replacing = [], historyFrom = {}, rules } = input;
  const of = (id: string) => (row: ExportedTransaction) => (row.connection_id ?? '') === id;
  const monthIn = (row: ExportedTransaction): string => zone.dayOf(Date.parse(row.posted_at)).slice(0, 7);
  const spent = rows.filter(
    (row) => row.amount_cents < 0 && row.currency === baseCurrency && months.includes(monthIn(row)) && isCounted(row),
  );
  const sumOf = (some: readonly ExportedTransaction[]): bigint =>
    some.reduce((sum, { amount_cents }) => sum - BigInt(amount_cents), 0n);
  const bills = rows.filter((row) => rules.cards.includes(words(row.category ?? '')) && isCounted(row)).map(monthIn);
  const wasPaid = (id: string): boolean => {
    const [first = ''] = rows.filter(of(id)).map(monthIn).sort();
    return bills.some((month) => months.includes(month) && month < first);
  };
  const main = [...new Set(spent.map(({ connection_id }) => connection_id ?? ''))]
    .filter((id) => replacing.every((successor) => successor.id !== id))
    .filter((id) => rules.types[id] !== 'credit_card' || !wasPaid(id))
    .filter((id) => 10n * sumOf(spent.filter(of(id))) >= sumOf(spent));
  const isKnown = (id: string, month: string): boolean => {
    const from = historyFrom[id];
    return from === undefined ? rows.some((row) => of(id)(row) && monthIn(row) < month) : `${month}-01` >= from;
  };
  return months.filter((month) => main.every((id) => isKnown(id, month)));
}

function firstOf(zone: Zone, month: string): number {
  return zone.instantOf(Date.parse(`${month}-01T00:00:00Z`));
}

function flowsOf(
  rows: readonly ExportedTransaction[],
  zone: Zone,
  isCounted: (row: ExportedTransaction) => boolean,
): MonthFlow[] {
  const flows = new Map<string, MonthFlow>();
  for (const row of rows) {
    const month = monthOf(zone.dayOf(Date.parse(row.posted_at)));
    const key = `${month} ${row.currency}`;
    const flow = flows.get(key) ?? emptyFlow(month, row.currency);
    const amount = BigInt(row.amount_cents);
    if (isCounted(row) && amount > 0n) flow.moneyIn += amount;
    else if (isCounted(row)) flow.moneyOut -= amount;
    flow.transactions++;
    flows.set(key, flow);
  }
  return [...flows.values()];
}

function emptyFlow(month: string, currency: string): MonthFlow {
  const none = { moneyIn: 0n, moneyOut: 0n, excludedIn: 0n, excludedOut: 0n, transferIn: 0n, transferOut: 0n };
  return { month, currency, ...none, transactions: 0 };
}
