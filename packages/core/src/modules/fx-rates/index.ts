/** fx-rates: the set of exchange rates of an account, and exact conversion with it. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getFxRates, putFxRates } from './fx-rates.ts';

export const fxRates = {
  get: getFxRates,
  put: putFxRates,
} satisfies Handlers<typeof operations.fxRates>;
