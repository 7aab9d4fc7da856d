import { z } from 'zod';
import { createdAt, id, identity } from '../scalars.ts';
import { actor } from './api-key.ts';

export const deliverySummary = z
  .object({
    total: z.int().describe('Deliveries of the event, over all endpoints and redeliveries.'),
    succeeded: z.int().describe('Deliveries that an endpoint acknowledged with a 2xx status.'),
    pending: z.int().describe('Deliveries that are not sent yet, or wait for the next attempt.'),
    failed: z.int().describe('Deliveries given up after the last attempt.'),
    cancelled: z.int().describe('Deliveries that will not be attempted, for example because the endpoint was deleted.'),
  })
  .meta({ id: 'DeliverySummary', description: "Counts of an event's deliveries by outcome." });

/** Values of `action` for jobs and the service itself; the others are ids of operations. */
export const systemActions = [
  'access.denied',
  'accounts.open',
  'agentApprovals.expire',
  'apiKeys.endOverlap',
  'bank.approvals.expire',
  'bank.syncs.finish',
  'deliveries.exhaust',
  'deviceLogins.approve',
  'deviceLogins.deny',
  'replays.complete',
  'replays.fail',
  'sessions.createLink',
  'sessions.end',
  'sessions.open',
  'webhookEndpoints.backlog',
  'webhookEndpoints.disable',
  'webhookEndpoints.failing',
  'webhookEndpoints.probe',
] as const;

export const activity = z
  .object({
    ...identity('aud', 'activity'),
    created_at: createdAt,
    actor: actor.describe('Who performed the action.'),
    action: z.string().meta({
      description:
        'Operation or job, for example `companies.update`, or `access.denied` for a request that the key may not make.',
    }),
    resource_id: z.string().describe('ID of the record that was acted on.'),
    company_id: id('co')
      .nullable()
      .describe('ID of the company the record belongs to (`co_…`); null for account-level records.'),
    request_id: z.string().describe('ID of the request that caused the action, as sent in `x-request-id`.'),
    ip: z.string().nullable().describe('IP address of the caller; null for jobs of the service.'),
    before: z
      .unknown()
      .meta({ description: 'State before the action; null if there was none. Its form depends on the action.' }),
    after: z.unknown().meta({
      description:
        'State after the action. Its form depends on the action. For actions of an operator it has the `reason`.',
    }),
    events: z
      .array(
        z.object({
          id: id('evt'),
          type: z.string().describe('Event type, for example `bank.balance.updated`.'),
          deliveries: deliverySummary.describe("Counts of the event's deliveries by outcome."),
        }),
      )
      .describe('Events that the action emitted, with the outcome of their deliveries.'),
  })
  .meta({
    id: 'Activity',
    description: 'One entry of the audit log: who did what to which record, and the events that it emitted.',
  });
export type Activity = z.output<typeof activity>;
