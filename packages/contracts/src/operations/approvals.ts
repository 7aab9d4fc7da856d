import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { listOf, pageParameters } from '../records/list.ts';
import { waitingApproval } from '../records/waiting-approval.ts';
import { idParameter } from '../scalars.ts';

export const approvalOperations = {
  inbox: defineOperation({
    summary: 'List what waits for a decision, the soonest deadline first',
    description:
      "The company's pending wires and the pending requests of its agents in one list, those without a deadline last. One whose `expires_at` has passed is not in it. For the number alone, as on a badge, read `limit=1` with `include=total_count`: the count reads only what waits, by an index.",
    http: { method: 'GET', path: '/companies/{company_id}/approvals/inbox' },
    scopes: ['human', 'read'],
    input: z.object({
      company_id: idParameter,
      ...pageParameters,
      order: z.enum(['asc', 'desc']).default('asc').describe('Sort order, `asc` for the soonest deadline first.'),
    }),
    output: listOf(waitingApproval),
  }),
};
