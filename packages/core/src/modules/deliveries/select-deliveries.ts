import type { operations } from '@finhook/contracts';
import { filterByCompanyAccess } from '../../access/access.ts';
import type { Filters } from '../../lists/keyset.ts';
import type { Context } from '../../verbs/context.ts';
import type { InputOf } from '../../verbs/verb.ts';
import { assertEndpoint } from '../webhooks/read.ts';
import { undelivered } from './delivery-record.ts';
import { eventsOfRecord } from './events-of-record.ts';

type Selection = Omit<InputOf<typeof operations.deliveries.list>, 'limit' | 'order' | 'after' | 'before' | 'include'>;

/** The filters that an index serves: the account, the time, and what a delivery belongs to. */
export async function selectByIndex(filters: Filters, context: Context, input: Selection): Promise<void> {
  if (input.endpoint_id !== undefined) await assertEndpoint(context, input.endpoint_id);
  filters.where(context.accountId, 'account_id = ?');
  filters.whereEqual(input, ['endpoint_id', 'event_id', 'replay_id']);
  if (input.resource_id !== undefined)
    filters.where(await eventsOfRecord(context, input.resource_id), 'event_id = ANY (?::text[])');
  filters.whereIdTimes('dlv', { created_from: input.created_from, created_to: input.created_to });
}

/** The other filters, which read each row, and the caller's access. */
export function selectByRow(filters: Filters, context: Context, input: Selection): void {
  filterByCompanyAccess(filters, context, 'company_id');
  filters.whereEqual(input, ['event_type', 'company_id']);
  filters.whereTimes({ updated_since: input.updated_since });
  filters.where(input.response_code, 'last_status_code = ?');
  if (input.status === 'retrying') filters.add("status = 'pending' AND attempt_count > 0");
  else if (input.status === 'pending') filters.add("status = 'pending' AND attempt_count = 0");
  else if (input.status === 'undelivered') filters.add(undelivered);
  else filters.where(input.status, 'status = ?');
}
