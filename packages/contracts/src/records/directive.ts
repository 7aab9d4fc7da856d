import { z } from 'zod';
import {
  id,
  identity,
  idParameter,
  instant,
  optional,
  text,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';
import { actor } from './api-key.ts';

export const directiveStatus = z.enum(['issued', 'suspended', 'resolved']);
export const directivePriority = z.enum(['low', 'normal', 'high', 'critical']);
export const directiveResolution = z.enum(['completed', 'cancelled', 'superseded']);

export const directive = z
  .object({
    ...identity('dir', 'directive'),
    company_id: id('co'),
    case_id: id('case').nullable().describe('ID of the only case the directive applies to (`case_…`); null for all.'),
    agent_id: id('agent')
      .nullable()
      .describe('ID of the only agent the directive applies to (`agent_…`); null for all.'),
    title: z.string().describe('One line that states the instruction.'),
    body: z.string().nullable().describe('Details of the instruction; null if not given.'),
    priority: directivePriority.describe('How important the instruction is; `normal` by default.'),
    status: directiveStatus.describe('`issued` while in force, `suspended`, or `resolved` permanently.'),
    issued_by: actor.describe('Who issued the directive.'),
    issued_at: timestamp.describe('When the directive was first issued (UTC). Resuming does not change it.'),
    suspended_at: timestamp
      .nullable()
      .describe('When the directive was last suspended (UTC); null unless it is suspended.'),
    suspended_reason: z
      .string()
      .nullable()
      .describe('Why the directive is suspended; null if it is not or no reason was given.'),
    resolved_at: timestamp.nullable().describe('When the directive was resolved (UTC); null unless it is.'),
    resolution: directiveResolution.nullable().describe('How the directive ended; null unless it is resolved.'),
    resolution_note: z.string().nullable().describe('Explanation of the resolution; null if not given.'),
    due_at: timestamp
      .nullable()
      .describe('When the instruction has to be carried out by (UTC); null without a deadline.'),
    ...timestamps,
  })
  .meta({
    id: 'Directive',
    description: 'An instruction that applies to a company, or to one case or agent of it, until it is resolved.',
  });
export type Directive = z.output<typeof directive>;

export const directiveInput = withDescriptionsOf(directive, {
  title: text(1, 200),
  body: optional(text(1, 10_000)),
  priority: optional(directivePriority),
  case_id: optional(idParameter),
  agent_id: optional(idParameter),
  due_at: optional(instant),
});
