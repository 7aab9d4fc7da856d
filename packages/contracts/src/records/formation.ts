import { z } from 'zod';
import { id, secret, text, timestamp } from '../scalars.ts';
import { actor } from './api-key.ts';

/** A milestone on the way to a formed company. `key` names it within its company; it has no id of its own. */
export const formationStep = z
  .object({
    object: z.literal('formation_step'),
    account_id: id('acct'),
    company_id: id('co'),
    key: z.string().meta({ examples: ['bylaws_adopted'] }),
    label: z.string(),
    position: z.int().meta({ description: 'Place in the order of the steps, from 1' }),
    required: z.boolean().meta({ description: 'Whether the company stays forming until this step is completed' }),
    status: z.enum(['pending', 'completed']),
    completed_at: timestamp.nullable(),
    completed_by: actor.nullable(),
    evidence_url: z.string().nullable(),
    note: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'FormationStep' });
export type FormationStep = z.output<typeof formationStep>;

/** How many of a company's formation steps are completed, required and optional ones alike. */
export const formationProgress = z.object({ completed_steps: z.int(), total_steps: z.int() });

/** The formation of a company; without steps for one that was created active. */
export const formation = formationProgress
  .extend({ steps: z.array(formationStep).meta({ description: 'In the order of their position' }) })
  .meta({ id: 'Formation' });
export type Formation = z.output<typeof formation>;

/** A completed step with the progress that it made. */
export const stepWithProgress = formationStep.extend({ formation: formationProgress });

/** Where a step's evidence can be read: http or https, without credentials. It is kept and never fetched. */
export const evidenceUrl = secret(
  text(1, 2048).regex(
    /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i,
    'must be a web address like https://example.com/certificate.pdf, without user name or password',
  ),
);
