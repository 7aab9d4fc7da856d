/**
 * fx-rates: the one set of exchange rates of an account, and the exact conversion of amounts with it. Owns the set; which
 * figures are converted is their modules' concern.
 */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getFxRates, putFxRates } from './fx-rates.ts';

export const fxRates = {
  get: getFxRates,
  put: putFxRates,
} satisfies Handlers<typeof operations.fxRates>;
