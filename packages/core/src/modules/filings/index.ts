/** filings: what a company owes authorities and by when, and that it was submitted. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { createFiling } from './create-filing.ts';
import { getFiling } from './get-filing.ts';
import { listFilings } from './list-filings.ts';
import { submitFiling } from './submit-filing.ts';

export const filings = {
  create: createFiling,
  get: getFiling,
  list: listFilings,
  submit: submitFiling,
} satisfies Handlers<typeof operations.filings>;
