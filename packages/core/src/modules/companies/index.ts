/** companies: the legal entities of an account, from their formation to their dissolution. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { completeFormationStep } from './complete-formation-step.ts';
import { createCompany } from './create-company.ts';
import { dissolveCompany } from './dissolve-company.ts';
import { getCompany } from './get-company.ts';
import { listCompanies } from './list-companies.ts';
import { updateCompany } from './update-company.ts';

export const companies = {
  create: createCompany,
  get: getCompany,
  list: listCompanies,
  update: updateCompany,
  dissolve: dissolveCompany,
  formation: {
    completeStep: completeFormationStep,
  },
} satisfies Handlers<typeof operations.companies>;
