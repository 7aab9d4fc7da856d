import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { complianceMatrix, complianceResync } from '../records/compliance.ts';
import { warnings } from '../records/list.ts';
import { idParameter } from '../scalars.ts';

export const complianceOperations = {
  resync: defineOperation({
    id: 'compliance.resync',
    kind: 'mutation',
    summary: "Recompute a company's compliance matrix and open the filings of the coming twelve months",
    http: { method: 'POST', path: '/companies/{company_id}/compliance/resync', success: 200 },
    scopes: ['human'],
    permission: 'filings:write',
    input: z.object({ company_id: idParameter }),
    output: complianceResync.extend({ warnings: warnings.optional() }),
    errors: ['company_not_found', 'company_dissolved'],
    emits: ['filing.due', 'compliance.resynced'],
    example: {},
  }),
  get: defineOperation({
    id: 'compliance.get',
    kind: 'query',
    summary: "Read a company's compliance matrix, as the last resync left it, with where each due date stands today",
    http: { method: 'GET', path: '/companies/{company_id}/compliance', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ company_id: idParameter }),
    output: complianceMatrix.extend({ warnings: warnings.optional() }),
    errors: ['company_not_found'],
    emits: [],
    example: {},
  }),
};
