import { z } from 'zod';
import { currency, exactCents } from '../scalars.ts';

export const dryRunInput = z.boolean().optional().meta({
  description:
    '`true` returns the response that the request would have and stores nothing: no record, no event, no audit entry. An `Idempotency-Key` is ignored. IDs of new records and of the event exist nowhere afterwards.',
});

export const dryRun = z
  .boolean()
  .optional()
  .describe('`true` if nothing was stored because the request was a dry run; absent otherwise.');

export const flowTotals = z
  .array(
    z
      .object({
        currency,
        ...exactCents('in', 'Sum of the amounts above zero.'),
        ...exactCents('out', 'Sum of the amounts below zero, without the sign.'),
      })
      .meta({ id: 'FlowTotals', description: 'Money in and out in one currency.' }),
  )
  .optional()
  .describe('Money in and out of the rows that would be stored, one entry per currency. Present only in a dry run.');
