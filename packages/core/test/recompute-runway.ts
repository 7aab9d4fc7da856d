import type { RunwayLine } from '@finhook/contracts';
import { type OwnZone, openOwnZone, shiftDay, shiftMonth } from './own-dates.ts';
import { addAll, type ExportedRates, type Fraction, openOwnRates } from './own-rates.ts';
import { type RecomputedClass, recomputeCategory, recomputeClasses, words } from './recompute-classes.ts';
import { type RunwayFigures, recomputeLine } from './recompute-lines.ts';
import type { RecomputeRules } from './rules-of.ts';

export interface ExportedBalance {
  connection_id: string | null;
  as_of: string;
  balance_cents: number;
  currency: string;
}

export interface ExportedTransaction {
  id: string;
  connection_id: string | null;
  posted_at: string;
  amount_cents: number;
  currency: string;
  /** As posted. */
  category: string | null;
  /** By a person. */
  own_category?: string | null;
  counterparty?: string | null;
  description?: string;
  flow_class?: string | null;
  voided_at?: string | null;
}

export interface RecomputeInput {
  balances: readonly ExportedBalance[];
  transactions: readonly ExportedTransaction[];
  timezone: string;
  baseCurrency: string;
  now: Date;
  /** Burn is the mean of this many of the last complete months; three by default. */
  months?: number;
  rules: RecomputeRules;
  /** Disconnected connections. */
  disconnected: readonly string[];
  /** Connections that replace another; `waiting` ones have an incomplete backfill. */
  replacing?: readonly { id: string; replaces: string; waiting?: boolean }[];
  /** `history_from` by connection. */
  historyFrom?: Readonly<Record<string, string>>;
  /** The exchange rates of the account. */
  rates?: ExportedRates | undefined;
}

/** A line without flags, reasons and text. */
export function figuresOf(line: RunwayLine): RunwayFigures {
  const { flags: _, confidence_reasons: __, text: ___, ...figures } = line;
  return figures;
}

/** Money of a month and currency, in minor units; both sides positive. */
export interface RecomputedMonth {
  in: bigint;
  out: bigint;
  leftOutIn: bigint;
  leftOutOut: bigint;
  transactions: number;
}

export interface RecomputedCompany {
  lines: RunwayFigures[];
  /** Null if a rate is missing, or without lines. */
  total: RunwayFigures | null;
  missing: string[];
  /** By month and currency, as `2026-10 USD`. */
  months: ReadonlyMap<string, RecomputedMonth>;
  classes: ReadonlyMap<string, RecomputedClass>;
  /** By complete month: closing cash, and the mean of three months; no window if one is not covered. */
  lineOf: (month: string, currency: string) => RunwayFigures;
}

/** The category that applies; '' for none. */
export function categoryOf(row: ExportedTransaction, rules: RecomputeRules): string {
  const { amount_cents: amount, category, own_category, counterparty, description } = row;
  const texts = { counterparty: counterparty ?? '', description: description ?? '' };
  return recomputeCategory({ ...texts, amount, postedCategory: category ?? '', own: own_category ?? '' }, rules);
}

export function recomputeRunway(input: RecomputeInput): RunwayFigures[] {
  return recomputeCompany(input).lines;
}

/** Computes the figures from rows alone, independent of the service's code. Leaves out fallbacks and flags. */
export function recomputeCompany(given: RecomputeInput): RecomputedCompany {
  const input = { ...given, transactions: given.transactions.filter(({ voided_at }) => voided_at == null) };
  const zone = openOwnZone(input.timezone);
  const today = zone.dayOf(input.now.getTime());
  const due = zone.startOf(shiftDay(today, 2));
  const rows = input.transactions.filter(({ posted_at }) => Date.parse(posted_at) < due);
  const kept = rows.filter(keptRows(input));
  const known = kept.filter((row) => !['investment', 'restricted', 'loan'].includes(typeOf(input, row)));
  const dayOf = (row: ExportedTransaction): string => zone.dayOf(Date.parse(row.posted_at));
  const coverageFrom = coveredFrom(known.map(dayOf), promisedHistory(input, known));
  const ends = replacementDays(input, zone);
  const isReplaced = (row: ExportedTransaction): boolean => dayOf(row) >= (ends.get(row.connection_id ?? '') ?? '~');
  const classes = recomputeClasses({
    rows: kept
      .filter((row) => !isReplaced(row))
      .map((row) => ({
        id: row.id,
        account: row.connection_id ?? '',
        at: Date.parse(row.posted_at),
        day: dayOf(row),
        amount: row.amount_cents,
        currency: row.currency,
        category: categoryOf(row, input.rules),
        postedCategory: row.category ?? '',
        counterparty: row.counterparty ?? '',
        description: row.description ?? '',
        given: row.flow_class ?? '',
      })),
    rules: input.rules,
    coverageFrom,
    endOf: (account) => ends.get(account),
    monthSpan: (month) => [zone.startOf(`${month}-01`), zone.startOf(`${shiftMonth(month, 1)}-01`)],
  });
  const isCounted = ({ id }: ExportedTransaction): boolean => classes.get(id) === 'counted';
  const coveredUpTo = (last: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => shiftMonth(last, 1 + i - count)).filter(
      (month) => coverageFrom !== undefined && month >= coverageFrom,
    );
  const knownOf = (months: readonly string[]) => knownMonths(input, { months, rows, isCounted, zone, today });
  const countedIn = (months: readonly string[]) =>
    rows.filter((row) => isCounted(row) && months.includes(dayOf(row).slice(0, 7)));
  const window = knownOf(coveredUpTo(shiftMonth(today.slice(0, 7), -1), input.months ?? 3));
  const shared = { today, hasTransactions: known.length > 0 };
  return {
    ...linesOf(input, { counted: countedIn(window), cash: cashOf(input, today), window, ...shared }),
    months: monthsOf(rows, dayOf, isCounted),
    classes,
    lineOf(month, currency) {
      const three = coveredUpTo(month, 3);
      const of = three.length < 3 ? [] : knownOf(three);
      const amounts = countedIn(of)
        .filter((row) => row.currency === currency)
        .map(({ amount_cents }): Fraction => [BigInt(amount_cents), 1n]);
      const held = closingOf(input, shiftDay(`${shiftMonth(month, 1)}-01`, -1), dayOf).get(currency);
      return recomputeLine({
        currency,
        cash: held === undefined ? undefined : [held, 1n],
        amounts,
        window: of,
        ...shared,
      });
    },
  };
}

interface Counted {
  /** The counted rows of the window. */
  counted: readonly ExportedTransaction[];
  cash: ReadonlyMap<string, bigint>;
  today: string;
  window: readonly string[];
  hasTransactions: boolean;
}

function linesOf({ baseCurrency, rates }: RecomputeInput, { counted, cash, ...shared }: Counted) {
  const moved = counted.filter(({ amount_cents }) => amount_cents !== 0).map(({ currency }) => currency);
  const spent = counted.filter(({ amount_cents }) => amount_cents < 0).map(({ currency }) => currency);
  const codes = [...new Set([...cash.keys(), ...spent.toSorted()])];
  const ofCurrency = (code: string): Fraction[] =>
    [1, -1].map((sign) => {
      const own = counted.filter(({ currency, amount_cents }) => currency === code && Math.sign(amount_cents) === sign);
      return [own.reduce((sum, { amount_cents }) => sum + BigInt(amount_cents), 0n), 1n];
    });
  const lines = codes.map((currency) => {
    const held = cash.get(currency);
    const amounts = ofCurrency(currency);
    return recomputeLine({ currency, cash: held === undefined ? undefined : [held, 1n], amounts, ...shared });
  });
  const used = [...moved, ...[...cash].flatMap(([code, cents]) => (cents === 0n ? [] : [code]))];
  const conversion = openOwnRates(rates, used, baseCurrency, shared.today);
  if (!('convert' in conversion) || lines.length === 0) return { lines, total: null, missing: conversion.missing };
  const { convert } = conversion;
  const held = [...cash].map(([code, cents]) => convert(cents, code));
  const amounts = [...new Set(moved)].flatMap((code) => ofCurrency(code).map(([cents]) => convert(cents, code)));
  const sum = held.length === 0 ? undefined : addAll(held);
  return { lines, total: recomputeLine({ currency: baseCurrency, cash: sum, amounts, ...shared }), missing: [] };
}

function monthsOf(
  rows: readonly ExportedTransaction[],
  dayOf: (row: ExportedTransaction) => string,
  isCounted: (row: ExportedTransaction) => boolean,
): ReadonlyMap<string, RecomputedMonth> {
  const months = new Map<string, RecomputedMonth>();
  for (const row of rows) {
    const key = `${dayOf(row).slice(0, 7)} ${row.currency}`;
    const sums = months.get(key) ?? { in: 0n, out: 0n, leftOutIn: 0n, leftOutOut: 0n, transactions: 0 };
    const amount = BigInt(row.amount_cents);
    if (amount > 0n) sums[isCounted(row) ? 'in' : 'leftOutIn'] += amount;
    else sums[isCounted(row) ? 'out' : 'leftOutOut'] -= amount;
    sums.transactions += 1;
    months.set(key, sums);
  }
  return months;
}

/** The month after the first day, or the first one within the history of all accounts. */
function coveredFrom(days: readonly string[], history: string | undefined): string | undefined {
  const [first] = days.toSorted();
  if (first === undefined) return undefined;
  const from = history ?? `${first.slice(0, 7)}-02`;
  return from.endsWith('-01') ? from.slice(0, 7) : shiftMonth(from.slice(0, 7), 1);
}

/** By currency, the base currency first. */
function cashOf(input: RecomputeInput, today: string): ReadonlyMap<string, bigint> {
  const latest = latestBalances(input, today);
  const codes = [...new Set(latest.map(({ currency }) => currency))].sort();
  const ordered = [...codes.filter((code) => code === input.baseCurrency), ...codes].map((code) => {
    const own = latest.filter(({ currency }) => currency === code);
    return [code, own.reduce((sum, { balance_cents }) => sum + BigInt(balance_cents), 0n)] as const;
  });
  return new Map(ordered);
}

/** A disconnected connection counts until its successor has a balance; unknown if an account with rows has none. */
function closingOf(
  input: RecomputeInput,
  day: string,
  dayOf: (row: ExportedTransaction) => string,
): ReadonlyMap<string, bigint> {
  const { balances, replacing = [], rules, disconnected } = input;
  const firstOf = (id: string): string[] =>
    rules.excludedConnections.includes(id)
      ? []
      : balances.filter(({ connection_id }) => connection_id === id).map(({ as_of }) => as_of);
  const taken = (id: string): string[] =>
    replacing.filter(({ replaces }) => replaces === id).flatMap((next) => [...firstOf(next.id), ...taken(next.id)]);
  const ended = disconnected.filter((id) => taken(id).some((first) => first <= day));
  const then = { ...input, disconnected: ended };
  const unknown = unknownCurrencies(then, day, dayOf);
  return new Map([...cashOf(then, shiftDay(day, -1))].filter(([currency]) => !unknown.has(currency)));
}

function unknownCurrencies(
  { balances, transactions, replacing = [], rules, disconnected, ...more }: RecomputeInput,
  day: string,
  dayOf: (row: ExportedTransaction) => string,
): ReadonlySet<string> {
  const input = { balances, transactions, replacing, rules, disconnected, ...more };
  const chain = (id: string): string[] =>
    [id, ...replacing.filter((one) => one.id === id).flatMap(({ replaces }) => chain(replaces))].filter(
      (one) => !rules.excludedConnections.includes(one),
    );
  const isCash = (id: string): boolean =>
    !disconnected.includes(id) && ['depository', 'investment'].includes(typeOf(input, { connection_id: id }));
  const firstOf = (id: string) =>
    balances.filter((one) => (one.connection_id ?? '') === id).toSorted((a, b) => (a.as_of < b.as_of ? -1 : 1))[0];
  const isKnown = (id: string): boolean => isCash(id) && (firstOf(id)?.as_of ?? '~') <= day;
  const ids = new Set(balances.map(({ connection_id }) => connection_id ?? ''));
  const unknown = [...ids].filter(
    (id) =>
      chain(id)[0] === id &&
      isCash(id) &&
      !chain(id).some(isKnown) &&
      transactions.some((row) => chain(id).includes(row.connection_id ?? '') && dayOf(row) <= day),
  );
  return new Set(unknown.flatMap((id) => firstOf(id)?.currency ?? []));
}

function typeOf({ rules }: RecomputeInput, { connection_id }: Pick<ExportedTransaction, 'connection_id'>): string {
  return rules.types[connection_id ?? ''] ?? 'depository';
}

function latestBalances(input: RecomputeInput, today: string) {
  const { balances, rules, disconnected } = input;
  const until = shiftDay(today, 1);
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

/** True if a row's connection is neither excluded nor waiting for its backfill. */
function keptRows({ replacing = [], rules }: RecomputeInput) {
  const waiting = replacing.filter((successor) => successor.waiting).map(({ id }) => id);
  const left = new Set([...rules.excludedConnections, ...waiting]);
  return ({ connection_id }: ExportedTransaction): boolean => !left.has(connection_id ?? '');
}

/** The day from which a connection is replaced: a successor's first row, or always while it waits for its backfill. */
function replacementDays({ transactions, replacing = [], rules }: RecomputeInput, zone: OwnZone) {
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
  return cuts;
}

/** The latest `history_from` if every series has one; a successor's doesn't count beside its predecessor's. */
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

interface Candidates {
  months: readonly string[];
  rows: readonly ExportedTransaction[];
  isCounted: (row: ExportedTransaction) => boolean;
  zone: OwnZone;
  today: string;
}

/** The months in which all main accounts are known. A card drops none if its bills count in the months before it. */
function knownMonths(input: RecomputeInput, { months, rows, isCounted, zone, today }: Candidates): string[] {
  const { baseCurrency, replacing = [], historyFrom = {}, rules } = input;
  const of = (id: string) => (row: ExportedTransaction) => (row.connection_id ?? '') === id;
  const monthIn = (row: ExportedTransaction): string => zone.dayOf(Date.parse(row.posted_at)).slice(0, 7);
  const out = rows.filter((row) => row.amount_cents < 0 && months.includes(monthIn(row)) && isCounted(row));
  const used = out.map(({ currency }) => currency);
  const conversion = openOwnRates(input.rates, used, baseCurrency, today);
  const inOne = ({ amount_cents, currency }: ExportedTransaction): Fraction =>
    'convert' in conversion ? conversion.convert(BigInt(amount_cents), currency) : [BigInt(amount_cents), 1n];
  const spent = out.filter(({ currency }) => 'convert' in conversion || currency === baseCurrency);
  const sumOf = (some: readonly ExportedTransaction[]): Fraction => addAll(some.map(inOne));
  const [all, d] = sumOf(spent);
  const bills = rows
    .filter((row) => rules.cards.includes(words(categoryOf(row, rules))) && isCounted(row))
    .map(monthIn);
  const wasPaid = (id: string): boolean => {
    const [first = ''] = rows.filter(of(id)).map(monthIn).sort();
    return bills.some((month) => months.includes(month) && month < first);
  };
  const main = [...new Set(spent.map(({ connection_id }) => connection_id ?? ''))]
    .filter((id) => replacing.every((successor) => successor.id !== id))
    .filter((id) => rules.types[id] !== 'credit_card' || !wasPaid(id))
    .filter((id) => {
      const [own, part] = sumOf(spent.filter(of(id)));
      return 10n * own * d <= all * part;
    });
  const isKnown = (id: string, month: string): boolean => {
    const from = historyFrom[id];
    return from === undefined ? rows.some((row) => of(id)(row) && monthIn(row) < month) : `${month}-01` >= from;
  };
  return months.filter((month) => main.every((id) => isKnown(id, month)));
}
