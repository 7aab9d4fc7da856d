import { z } from 'zod';
import { id, idParameter, instant, optional, text, timestamp } from '../scalars.ts';
import { actor } from './api-key.ts';

export const directiveStatus = z.enum(['issued', 'suspended', 'resolved']);
export const directivePriority = z.enum(['low', 'normal', 'high', 'critical']);
export const directiveResolution = z.enum(['completed', 'cancelled', 'superseded']);

/** What a directive is issued with. */
export const directiveInput = {
  title: text(1, 200),
  body: optional(text(1, 10_000)),
  priority: optional(directivePriority).meta({ description: 'normal by default' }),
  case_id: optional(idParameter),
  agent_id: optional(idParameter),
  due_at: optional(instant),
};

/** An instruction that holds for a company, or for one case or one agent of it, until it is resolved. */
export const directive = z
  .object({
    id: id('dir'),
    object: z.literal('directive'),
    account_id: id('acct'),
    company_id: id('co'),
    case_id: id('case').nullable(),
    agent_id: id('agent').nullable(),
    title: z.string(),
    body: z.string().nullable(),
    priority: directivePriority,
    status: directiveStatus,
    issued_by: actor,
    issued_at: timestamp.meta({ description: 'When it was first issued; resuming leaves it' }),
    suspended_at: timestamp.nullable().meta({ description: 'When it was suspended last; resuming empties it' }),
    suspended_reason: z.string().nullable(),
    resolved_at: timestamp.nullable(),
    resolution: directiveResolution.nullable(),
    resolution_note: z.string().nullable(),
    due_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Directive' });
export type Directive = z.output<typeof directive>;
