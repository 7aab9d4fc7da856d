import { z } from 'zod';
import { currency, date, id } from '../scalars.ts';
import { exactCents } from './exact-cents.ts';
import { statementType } from './financial-snapshot.ts';

export const checkId = z.enum([
  'K1',
  'K2',
  'K3',
  'K4',
  'K5',
  'K6',
  'K7',
  'K8',
  'K9',
  'K10',
  'K11',
  'K12',
  'K13',
  'K14',
]);
export type CheckId = z.output<typeof checkId>;

/** One equation that a statement should satisfy; it never refuses a post. */
export const snapshotCheck = z
  .object({
    id: checkId.describe('Identifier of the check, `K1` to `K14`.'),
    name: z.string().describe('The equation that is checked.'),
    status: z
      .enum(['pass', 'warn', 'skip'])
      .describe('`pass` if it holds, `warn` if it does not, `skip` if figures are missing.'),
    ...exactCents('expected', 'Amount that the equation requires.'),
    ...exactCents('actual', 'Amount in the statement.'),
    ...exactCents('difference', 'Actual less expected amount.'),
    tolerance_cents: z
      .int()
      .nullable()
      .describe('Difference that still passes, in minor currency units; null if the check was skipped.'),
    message: z.string().describe('What was compared, or what is missing.'),
  })
  .meta({
    id: 'SnapshotCheck',
    description: 'An equation that a statement should satisfy. A failing check never rejects the statement.',
  });
export type SnapshotCheck = z.output<typeof snapshotCheck>;

/** The checks of the newest statement of a type. */
export const checkedSnapshot = z
  .object({
    snapshot_id: id('fin'),
    statement_type: statementType.describe('`income` statement, `balance` sheet or `cashflow` statement.'),
    period_start: date.describe('First day of the period.'),
    period_end: date.describe('Last day of the period.'),
    currency,
    revision: z.int().describe('Number of the checked revision.'),
    checks: z.array(snapshotCheck).describe('Results of the checks.'),
  })
  .meta({ id: 'CheckedSnapshot', description: 'The checks of a statement snapshot.' });
export type CheckedSnapshot = z.output<typeof checkedSnapshot>;
