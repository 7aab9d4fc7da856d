/** companies: the legal entities of an account, from their formation to their dissolution. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { createCompany } from './create.ts';
import { completeFormationStep } from './formation/steps.ts';
import { getCompany, listCompanies } from './read.ts';
import { dissolveCompany, updateCompany } from './update.ts';

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
