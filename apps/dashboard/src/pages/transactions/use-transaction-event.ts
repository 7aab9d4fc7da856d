import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { problemOf } from '../../lib/problem.ts';
import { type Outputs, useTRPCClient } from '../../lib/trpc.ts';
import { carries, type Transaction } from './transactions.view.ts';

type Activity = Outputs['activity']['list']['data'][number];

export interface TransactionOrigin {
  activity: Activity;
  eventId: string;
}

/** Maximum number of requests of about the same time to search. */
const CANDIDATES = 10;
const SOON_MS = 60_000;

export function useTransactionEvent({
  id,
  company_id,
  created_at,
}: Transaction): UseQueryResult<TransactionOrigin | null> {
  const client = useTRPCClient();
  async function find(): Promise<TransactionOrigin | null> {
    const { data } = await client.activity.list.query({
      company_id,
      type: 'bank.transaction.posted',
      created_from: created_at,
      created_to: new Date(Date.parse(created_at) + SOON_MS).toISOString(),
      order: 'asc',
      limit: CANDIDATES,
    });
    for (const activity of data) {
      const told = activity.events.find(({ type }) => type === 'bank.transaction.posted');
      // Sequential, because the first one nearly always matches.
      if (told && (await tells(told.id))) return { activity, eventId: told.id };
    }
    return null;
  }
  async function tells(event_id: string): Promise<boolean> {
    try {
      const { data } = await client.events.get.query({ event_id });
      return carries(data, id);
    } catch (error) {
      if (problemOf(error)?.status === 404) return false;
      throw error;
    }
  }
  return useQuery({ queryKey: ['transaction-event', id], queryFn: find, staleTime: Number.POSITIVE_INFINITY });
}
