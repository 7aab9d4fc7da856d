import type { operations, Warning } from '@finhook/contracts';
import { dateInZone } from '../../time/calendar.ts';
import type { Verb } from '../../verbs/verb.ts';
import { findCompany } from '../companies/read.ts';
import { readKnownFilings, readMatrixRows, readResyncedAt, toItems } from './matrix.ts';
import { factsOf, factWarnings } from './select-obligations.ts';

const neverResynced: Warning = {
  code: 'never_resynced',
  message: 'The matrix of this company was never computed. Resync it first.',
};

export const getCompliance: Verb<typeof operations.compliance.get> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const db = context.database;
  const resynced_at = await readResyncedAt(db, company.id);
  const rows = await readMatrixRows(db, company.id);
  const filings = await readKnownFilings(db, company.id);
  const open = new Set(filings.filter(({ isOpen }) => isOpen).map(({ id }) => id));
  const items = toItems(rows, open, dateInZone(context.clock.now(), company.timezone));
  const warnings = [...(resynced_at === null ? [neverResynced] : []), ...factWarnings(factsOf(company))];
  return {
    object: 'compliance_matrix',
    account_id: company.account_id,
    company_id: company.id,
    resynced_at,
    jurisdictions: [...new Set(items.map(({ jurisdiction }) => jurisdiction))].sort(),
    items_total: items.length,
    items,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
};
