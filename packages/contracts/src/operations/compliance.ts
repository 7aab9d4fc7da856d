import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { complianceMatrix, complianceResync } from '../records/compliance.ts';
import { writeResult } from '../records/list.ts';
import { idParameter } from '../scalars.ts';

export const complianceOperations = {
  resync: defineOperation({
    summary: "Recompute a company's compliance matrix",
    description:
      "Derives the matrix from the company's fields and opens the filings that are missing for the coming twelve months. Emits `filing.due` for each opened filing, then `compliance.resynced`, also when nothing changed. Existing filings are never changed.",
    http: { method: 'POST', path: '/companies/{company_id}/compliance/resync' },
    permission: 'filings:write',
    input: z.object({ company_id: idParameter }),
    output: writeResult(complianceResync),
    errors: ['company_dissolved'],
    emits: ['filing.due', 'compliance.resynced'],
  }),
  get: defineOperation({
    summary: "Read a company's compliance matrix",
    description:
      'Returns the matrix of the last resync; the state of each due date is as of today. A company without a resync has an empty matrix and the warning `never_resynced`.',
    http: { method: 'GET', path: '/companies/{company_id}/compliance' },
    input: z.object({ company_id: idParameter }),
    output: writeResult(complianceMatrix),
  }),
};
