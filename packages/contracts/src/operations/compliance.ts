import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { complianceMatrix, complianceResyncResult } from '../records/compliance.ts';
import { dryRunInput } from '../records/dry-run.ts';
import { writeResult } from '../records/list.ts';
import { idParameter, optional } from '../scalars.ts';

export const complianceOperations = {
  resync: defineOperation({
    summary: "Recompute a company's compliance matrix",
    description:
      "Derives the matrix from the company's fields and opens the filings that are missing for the coming twelve months. Emits `filing.due` for each opened filing, then `compliance.resynced`, also when nothing changed. Existing filings are never changed. With `dry_run=true` nothing is stored or emitted, and `planned_filings` and `planned_changes` say what the resync would do; filings that are likely to exist already name their duplicates. With `expected_count`, a resync that would open another number of filings is 409 `count_changed` with that number.",
    http: { method: 'POST', path: '/companies/{company_id}/compliance/resync', query: ['dry_run'] },
    permission: 'filings:write',
    input: z.object({
      company_id: idParameter,
      dry_run: dryRunInput,
      expected_count: optional(z.int().min(0)).describe(
        'The number of filings to open, from the `filings_opened` of a dry run. If it is another number by now, nothing is changed.',
      ),
    }),
    output: complianceResyncResult,
    errors: ['company_dissolved', 'count_changed'],
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
