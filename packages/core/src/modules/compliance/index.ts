/** compliance: a company's obligations, computed from a table of rules and stored as its matrix. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getCompliance } from './matrix.ts';
import { resyncCompliance } from './resync.ts';

export const compliance = {
  resync: resyncCompliance,
  get: getCompliance,
} satisfies Handlers<typeof operations.compliance>;
