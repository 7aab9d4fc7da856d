import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { company, companyFields } from '../records/company.ts';
import { listOf, pageParameters, warnings } from '../records/list.ts';
import { idParameter, instant, text } from '../scalars.ts';

export const companyOperations = {
  create: defineOperation({
    id: 'companies.create',
    kind: 'mutation',
    summary: 'Create a company',
    http: { method: 'POST', path: '/companies', success: 201 },
    scopes: ['human'],
    permission: 'companies:write',
    input: z.object(companyFields),
    output: company.extend({ warnings: warnings.optional() }),
    errors: [],
    emits: ['company.created'],
    example: { name: 'Acme Robotics', base_currency: 'USD', timezone: 'America/New_York' },
  }),
  get: defineOperation({
    id: 'companies.get',
    kind: 'query',
    summary: 'Read a company',
    http: { method: 'GET', path: '/companies/{company_id}', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ company_id: idParameter }),
    output: company,
    errors: ['company_not_found'],
    emits: [],
    example: {},
  }),
  list: defineOperation({
    id: 'companies.list',
    kind: 'query',
    summary: 'List companies, newest first',
    http: { method: 'GET', path: '/companies', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({
      ...pageParameters,
      status: z.enum(['forming', 'active', 'dissolved']).optional(),
      q: text(1, 200).optional(),
      created_from: instant.optional(),
      created_to: instant.optional(),
      updated_since: instant.optional(),
    }),
    output: listOf(company),
    errors: ['invalid_cursor'],
    emits: [],
    example: {},
  }),
};
