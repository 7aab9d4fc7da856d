/** cash: balances per day and connection, and cash on hand computed from them. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getCashBalance, listCashBalances } from './balances/read.ts';
import { upsertCashBalance } from './balances/upsert.ts';
import { getCashOnHand } from './cash-on-hand.ts';
import { getCashHistory } from './history.ts';

export const cash = {
  balances: {
    upsert: upsertCashBalance,
    get: getCashBalance,
    list: listCashBalances,
  },
  onHand: getCashOnHand,
  history: getCashHistory,
} satisfies Handlers<typeof operations.cash>;
