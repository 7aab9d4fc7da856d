import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { fxRates, fxRatesInput } from '../records/fx-rates.ts';
import { writeResult } from '../records/list.ts';

export const fxRateOperations = {
  get: defineOperation({
    summary: 'Read the exchange rates',
    description: 'Returns the one set of rates of the account; its fields are null until a set was stored.',
    http: { method: 'GET', path: '/fx-rates' },
    input: z.object({}),
    output: fxRates,
  }),
  put: defineOperation({
    summary: 'Replace the exchange rates',
    description:
      'The account has one set of current rates, for all of its companies; a request replaces it as a whole. `rates` has the units of each currency for one unit of `base`, as the European Central Bank publishes them for the euro. Cash and flows in several currencies are then also returned as one `total` in the base currency of the company. A set is used until it is seven days old. Emits no event; the same set again changes nothing. Needs access to the whole account.',
    http: { method: 'PUT', path: '/fx-rates' },
    permission: 'financials:write',
    input: z.object(fxRatesInput),
    output: writeResult(fxRates),
    example: {
      base: 'EUR',
      as_of: '2026-03-31',
      rates: { USD: '1.0842', JPY: '162.50' },
      source: 'ECB',
    },
  }),
};
