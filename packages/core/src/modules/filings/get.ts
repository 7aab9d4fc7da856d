import type { operations } from '@finhook/contracts';
import type { Transaction } from '../../db/database.ts';
import { assertAccessible } from '../../kernel/access.ts';
import { dateInZone } from '../../kernel/calendar.ts';
import type { Context } from '../../kernel/context.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get.ts';
import { Filing, toFiling } from './filing.entity.ts';

type Op = typeof operations.filings.get;

/** The filing, if it belongs to the caller's account and reach. */
export async function findFiling(em: Transaction['em'], context: Context, id: string): Promise<Filing> {
  return assertAccessible(context, await em.findOne(Filing, { id, account_id: context.accountId }), 'filing');
}

export async function getFiling(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const filing = await findFiling(context.database.em(), context, input.filing_id);
  const company = await findCompany(context, filing.company_id);
  return toFiling(filing, dateInZone(context.clock.now(), company.timezone));
}
