import type { Outputs } from '../../lib/trpc.ts';
import type { Company } from './company-context.ts';

type Freshness = Pick<Outputs['financials']['freshness'], 'company_id' | 'streams'>;

/** When data of the company last arrived; empty if it never did. */
function lastArrival({ streams }: Freshness): string {
  const arrivals = streams.flatMap(({ balance, transactions }) => [
    balance.last_received_at ?? '',
    transactions.last_received_at ?? '',
  ]);
  return arrivals.toSorted().at(-1) ?? '';
}

/** The company of a person who has chosen none: the one whose data arrived last, else the oldest. The newest is first. */
export function defaultCompany<One extends Pick<Company, 'id'>>(
  companies: readonly One[],
  freshness: readonly Freshness[],
): One | undefined {
  const arrived = new Map(freshness.map((one) => [one.company_id, lastArrival(one)]));
  const arrivalOf = (one: One | undefined): string => arrived.get(one?.id ?? '') ?? '';
  const oldest = companies.at(-1);
  return companies.reduce<One | undefined>((best, one) => (arrivalOf(one) > arrivalOf(best) ? one : best), oldest);
}
