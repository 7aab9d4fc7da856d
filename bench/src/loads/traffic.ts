import type { Traffic } from './load.ts';

/** The maximum of a request. */
export const batchRows = 500;

const firstDay = Date.UTC(2005, 0, 1);
const connections = ['operating', 'payroll'] as const;
/** Each series has its own days, which the companies share. */
const daysPerSeries = 400;
const lastSeries = 18;

/** A key of a balance and its value, which follow from the number of the request. */
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
 * The n-th balance post of a series: every second one has a new key, the others repeat an earlier one with another
 * value, so that both inserts and updates occur.
 */
export function balancePost(companyIds: readonly string[], series: number, n: number): BalancePost {
  const half = Math.floor(n / 2);
  // A multiplicative hash spreads repeats over all earlier keys.
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

/** The rows of the n-th batch of a series, with new keys. */
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

/** More than any machine needs per second; batches are prepared before the measurement. */
const batchesPerSecond = 150;

/** The requests of a load. */
export interface Requests<T> {
  /** Number of requests to send before the measurement, so that all rows are known. */
  readonly first: number;
  /** The n-th request; known batches repeat. */
  readonly requestOf: (n: number) => T;
}

/** The batches of a load of this duration in ms, in the format of `make`. */
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
