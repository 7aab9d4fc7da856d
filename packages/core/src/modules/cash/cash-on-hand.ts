import type { CashOnHand, CashOnHandLine, CashStream, ExclusionReason, Warning } from '@finhook/contracts';
import { daysBetween, type Zone } from '../../kernel/calendar.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { exactCentsOf } from '../../kernel/exact-arithmetic.ts';
import { gradeFreshness, worstGrade } from '../freshness/grade-freshness.ts';

export interface StreamBalance {
  connection_id: string;
  as_of: string;
  balance_cents: number;
  currency: string;
}

/** A balance with its arrival, and the reason for its exclusion, if any. */
export interface JudgedStream extends StreamBalance {
  updated_at: string;
  reason: ExclusionReason | null;
}

interface CashSum<S> {
  currency: string;
  balance: bigint;
  members: readonly S[];
}

/**
 * Cash per currency: the exact sum of each series' newest balance. Currencies are never converted or mixed; the base
 * currency comes first.
 */
export function sumCash<S extends StreamBalance>(streams: readonly S[], baseCurrency: string): CashSum<S>[] {
  const byCurrency = Map.groupBy(streams, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, members]) => ({ currency, balance: addBalances(members), members }))
    .sort((a, b) => rank(a.currency, baseCurrency).localeCompare(rank(b.currency, baseCurrency)));
}

function addBalances(streams: readonly { balance_cents: number }[]): bigint {
  return streams.reduce((total, { balance_cents }) => total + BigInt(balance_cents), 0n);
}

function rank(currency: string, base: string): string {
  return currency === base ? '' : currency;
}

export interface CashView {
  companyId: string;
  baseCurrency: string;
  /** Today's local date, `YYYY-MM-DD`. */
  today: string;
  now: number;
  zone: Zone;
  streams: readonly JudgedStream[];
}

/** The record of cash on hand: lines per currency, their series, and the excluded series with reasons. */
export function toCashOnHand(view: CashView): CashOnHand {
  const graded = view.streams.map((stream) => ({ ...toStream(stream, view), reason: stream.reason }));
  const counted = graded
    .filter(({ reason }) => reason === null)
    .map(({ connection_id, ...stream }) => ({ ...stream, connection_id: connection_id ?? '' }));
  const sums = sumCash(counted, view.baseCurrency);
  const [first] = sums;
  return {
    object: 'cash_on_hand',
    company_id: view.companyId,
    as_of: view.today,
    headline: first ? { currency: first.currency, ...exactCentsOf('balance', first.balance) } : null,
    lines: sums.map(toLine),
    streams: graded.flatMap(({ reason, ...stream }) => (reason === null ? [stream] : [])),
    excluded: graded.flatMap(({ reason, ...stream }) => (reason === null ? [] : [{ ...stream, reason }])),
    warnings: unassignedWarning(counted),
  };
}

function toStream(stream: JudgedStream, { now, zone }: CashView): CashStream {
  const received = { kind: 'balance', last: Date.parse(stream.updated_at), asOf: stream.as_of } as const;
  return {
    connection_id: stream.connection_id || null,
    currency: stream.currency,
    balance_cents: stream.balance_cents,
    as_of: stream.as_of,
    received_at: toTimestamp(stream.updated_at),
    freshness: gradeFreshness(received, now, zone).grade,
  };
}

type CountedStream = StreamBalance & Pick<CashStream, 'freshness'>;

function toLine({ currency, balance, members }: CashSum<CountedStream>): CashOnHandLine {
  const days = members.map(({ as_of }) => as_of).sort();
  const [oldest = '', newest = ''] = [days[0], days.at(-1)];
  const stale = members.filter(({ freshness }) => freshness === 'stale');
  return {
    currency,
    ...exactCentsOf('balance', balance),
    streams: members.length,
    oldest_as_of: oldest,
    newest_as_of: newest,
    as_of_spread_days: daysBetween(oldest, newest),
    ...exactCentsOf('stale', addBalances(stale)),
    stale_streams: stale.length,
    freshness: worstGrade(members.map(({ freshness }) => freshness)),
  };
}

/** A total posted without a connection, in addition to its parts, counts twice. */
function unassignedWarning(streams: readonly StreamBalance[]): Warning[] {
  const unassigned = streams.some(({ connection_id }) => connection_id === '');
  if (!unassigned || streams.length < 2) return [];
  return [
    {
      code: 'unassigned_alongside_connections',
      message:
        'Some balances name a connection and others none: if the ones without are totals, the same cash counts twice.',
    },
  ];
}
