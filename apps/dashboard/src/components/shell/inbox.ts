import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { useNow } from '../time.tsx';
import { CompanyContext } from './company-context.ts';

/** A wire, or a request of an agent, that waits for a decision. */
export type Waiting = Outputs['approvals']['inbox']['data'][number];

export interface Inbox {
  /** The soonest deadline first. */
  waiting: readonly Waiting[];
  /** More wait than are read. */
  isCut: boolean;
  query: UseQueryResult<Outputs['approvals']['inbox'], unknown>;
}

const MOST_READ = 200;
/** Decisions on wires emit no event. */
const REFETCH_MS = 10_000;

/** The approvals of the chosen company that wait. The navigation and the pages share its query. */
export function useInbox(): Inbox {
  const company = useContext(CompanyContext);
  const trpc = useTRPC();
  const now = useNow();
  const query = useQuery(
    trpc.approvals.inbox.queryOptions(
      { company_id: company?.id ?? '', limit: MOST_READ },
      { enabled: company !== undefined, refetchInterval: REFETCH_MS },
    ),
  );
  return { waiting: stillWaiting(query.data?.data ?? [], now), isCut: query.data?.has_more === true, query };
}

/** A deadline may pass between two reads. */
export function stillWaiting(read: readonly Waiting[], now: number): readonly Waiting[] {
  return read.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now);
}

const URGENT_MS = 2 * 3_600_000;

export function isUrgent({ expires_at }: Pick<Waiting, 'expires_at'>, now: number): boolean {
  return expires_at !== null && Date.parse(expires_at) - now < URGENT_MS;
}

export function countText({ waiting, isCut }: Pick<Inbox, 'waiting' | 'isCut'>): string {
  return `${waiting.length}${isCut ? '+' : ''}`;
}
