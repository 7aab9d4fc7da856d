import type { Delivery } from '@finhook/contracts';
import { toNullableTimestamp, toTimestamp } from '../../kernel/clock.ts';

/** A row of `delivery` as PostgreSQL returns it. */
export interface DeliveryRow {
  id: string;
  account_id: string;
  company_id: string | null;
  event_id: string;
  event_type: string;
  endpoint_id: string;
  replay_id: string | null;
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  attempt_count: number;
  next_attempt_at: string | null;
  last_status_code: number | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    object: 'delivery',
    account_id: row.account_id,
    event_id: row.event_id,
    event_type: row.event_type,
    endpoint_id: row.endpoint_id,
    company_id: row.company_id,
    replay_id: row.replay_id,
    // A pending delivery that was tried is told apart: it is waiting for its next attempt.
    status: row.status === 'pending' && row.attempt_count > 0 ? 'retrying' : row.status,
    attempt_count: row.attempt_count,
    next_attempt_at: toNullableTimestamp(row.next_attempt_at),
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
