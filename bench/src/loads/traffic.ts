import type { Traffic } from './load.ts';

/** Rows of a batch: the most that a request may carry. */
export const batchRows = 500;

const firstDay = Date.UTC(2005, 0, 1);
const connections = ['operating', 'payroll'] as const;
/** Balances of one series lie in days of their own; the companies share them. */
const daysPerSeries = 400;
const lastSeries = 18;

/** A key of a balance and its value, made from the number of the request alone. */
export interface BalancePost {
  readonly companyId: string;
  readonly as_of: string;
  readonly balance_cents: number;
  readonly currency: 'USD';
  readonly source: string;
  readonly connection_id: string;
}

function dayOf(index: number): string {
  return new Date(firstDay + index * 86_400_000).toISOString().slice(0, 10);
}

/**
 * The n-th balance post of a series: every second one is a key that is new, the others repeat an earlier one with
 * another value, so that inserts and updates both occur.
 */
export function balancePost(companyIds: readonly string[], series: number, n: number): BalancePost {
  const half = Math.floor(n / 2);
  // A multiplicative hash spreads repeats over everything that came before.
  const key = n % 2 === 0 || half === 0 ? half : ((n * 2_654_435_761) % 4_294_967_296) % half;
  const perDay = companyIds.length * connections.length;
  const day = (series % lastSeries) * daysPerSeries + (Math.floor(key / perDay) % daysPerSeries);
  return {
    companyId: companyIds[key % companyIds.length] ?? '',
    as_of: dayOf(day),
    balance_cents: 1_000_000 + n * 7,
    currency: 'USD',
    source: 'bank_sync',
    connection_id: connections[Math.floor(key / companyIds.length) % connections.length] ?? 'operating',
  };
}

export interface TransactionPost {
  readonly external_id: string;
  readonly posted_at: string;
  readonly amount_cents: number;
  readonly currency: 'USD';
  readonly description: string;
  readonly category: string;
  readonly counterparty: string;
  readonly connection_id: string;
  readonly source: string;
}

const counterparties = ['Example Cloud', 'North Office Rentals', 'Paper & Pen', 'City Energy', 'Fast Freight'];

/** The rows of the n-th batch of a series; all their keys are new to the company. */
export function transactionBatch(series: number, n: number): TransactionPost[] {
  return Array.from({ length: batchRows }, (_, i) => {
    const counterparty = counterparties[i % counterparties.length] ?? '';
    return {
      external_id: `bank-${series}-${n}-${i}`,
      posted_at: `${dayOf(5000 + (n % 1000))}T${String(i % 24).padStart(2, '0')}:05:00Z`,
      amount_cents: -12_500 - i,
      currency: 'USD',
      description: `Invoice ${n * batchRows + i} of ${counterparty}, monthly`,
      category: 'software',
      counterparty,
      connection_id: 'operating',
      source: 'bank_sync',
    };
  });
}

/** More than any machine seen so far takes a second; batches are made before the clock runs, so that they cost it no time. */
const batchesPerSecond = 150;

/** What a load does, one after the other. */
export interface Requests<T> {
  /** So many are to be made before the clock runs, so that all rows are known. */
  readonly first: number;
  /** The n-th of the load; a known batch comes again and again. */
  readonly requestOf: (n: number) => T;
}

/** Batches of a traffic for a load of so many milliseconds, in the form that `make` gives them. */
export function createBatches<T>(
  { what, companyIds, series }: Traffic,
  milliseconds: number,
  make: (companyId: string, transactions: TransactionPost[]) => T,
): Requests<T> {
  const batch = (n: number): T => make(companyIds[n % companyIds.length] ?? '', transactionBatch(series, n));
  const isKnown = what === 'known-batches';
  const count = isKnown ? companyIds.length : (milliseconds / 1000) * batchesPerSecond;
  const prepared = Array.from({ length: count }, (_, n) => batch(n));
  return { first: isKnown ? count : 0, requestOf: (n) => prepared[isKnown ? n % count : n] ?? batch(n) };
}
