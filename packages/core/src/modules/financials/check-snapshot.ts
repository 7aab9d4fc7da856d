import type { operations } from '@finhook/contracts';
import { dateInZone } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { readRelated } from './read-related.ts';
import { getSnapshot } from './read-snapshots.ts';
import { toChecked } from './to-checked.ts';

type Op = typeof operations.financials.snapshots.checks;

/** Runs the checks of one statement, whatever its period, against what is stored now. */
export async function checkSnapshot(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const statement = await getSnapshot(context, input);
  const related = await readRelated(context.database, context.accountId, statement);
  const today = dateInZone(context.clock.now(), company.timezone);
  return { object: 'checked_snapshot', ...toChecked(statement, related, today) };
}
