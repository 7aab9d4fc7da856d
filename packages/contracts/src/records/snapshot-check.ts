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
    id: checkId,
    name: z.string(),
    status: z.enum(['pass', 'warn', 'skip']),
    ...exactCents('expected'),
    ...exactCents('actual'),
    ...exactCents('difference', 'actual − expected'),
    tolerance_cents: z.int().nullable(),
    message: z.string().meta({ description: 'What was compared, or what is missing for it' }),
  })
  .meta({ id: 'SnapshotCheck' });
export type SnapshotCheck = z.output<typeof snapshotCheck>;

/** The checks of the newest statement of a type. */
export const checkedSnapshot = z
  .object({
    snapshot_id: id('fin'),
    statement_type: statementType,
    period_start: date,
    period_end: date,
    currency,
    revision: z.int(),
    checks: z.array(snapshotCheck),
  })
  .meta({ id: 'CheckedSnapshot' });
export type CheckedSnapshot = z.output<typeof checkedSnapshot>;
