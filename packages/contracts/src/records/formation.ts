import { z } from 'zod';
import { createdAt, id, objectType, secret, text, timestamp, updatedAt } from '../scalars.ts';
import { actor } from './api-key.ts';

/** A milestone on the way to a formed company. `key` names it within its company; it has no id of its own. */
export const formationStep = z
  .object({
    object: objectType('formation_step'),
    account_id: id('acct'),
    company_id: id('co'),
    key: z
      .string()
      .meta({ examples: ['bylaws_adopted'] })
      .describe('Stable name of the step within its company, for example `bylaws_adopted`.'),
    label: z.string().describe('Text to display.'),
    position: z.int().describe('Position in the order of the steps, from 1.'),
    required: z.boolean().describe('True if the company stays `forming` until the step is completed.'),
    status: z.enum(['pending', 'completed']).describe('`pending` until the step is completed, which is final.'),
    completed_at: timestamp.nullable().describe('When the step was completed (UTC); null while pending.'),
    completed_by: actor.nullable().describe('Who completed the step; null while pending.'),
    evidence_url: z
      .string()
      .nullable()
      .describe('Web address of a document that proves completion; null if not given. It is stored and never fetched.'),
    note: z.string().nullable().describe('Free text about the completion; null if not given.'),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: 'FormationStep', description: 'A milestone in the formation of a company.' });
export type FormationStep = z.output<typeof formationStep>;

/** How many of a company's formation steps are completed, required and optional ones alike. */
const formationProgress = z.object({
  completed_steps: z.int().describe('Number of completed steps, required and optional ones.'),
  total_steps: z.int().describe('Number of steps in all; 0 for a company that was created active.'),
});

/** The formation of a company; without steps for one that was created active. */
export const formation = formationProgress
  .extend({ steps: z.array(formationStep).describe('The steps, ordered by position.') })
  .meta({ id: 'Formation', description: 'The formation steps of a company with their progress.' });
export type Formation = z.output<typeof formation>;

/** A completed step with the progress that it made. */
export const stepWithProgress = formationStep
  .extend({
    formation: formationProgress.describe("Progress of the company's formation after the step."),
  })
  .meta({ id: 'FormationStepWithProgress', description: 'A formation step, with how far the company has come.' });

/** Where a step's evidence can be read: http or https, without credentials. It is kept and never fetched. */
export const evidenceUrl = secret(
  text(1, 2048).regex(
    /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i,
    'must be a web address like https://example.com/certificate.pdf, without user name or password',
  ),
);
