/** filings: a company's obligations to authorities, with due dates and submissions. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { createFiling } from './create.ts';
import { getFiling, listFilings } from './filing.ts';
import { reopenFiling } from './reopen.ts';
import { submitFiling } from './submit.ts';

export const filings = {
  create: createFiling,
  get: getFiling,
  list: listFilings,
  submit: submitFiling,
  reopen: reopenFiling,
} satisfies Handlers<typeof operations.filings>;
