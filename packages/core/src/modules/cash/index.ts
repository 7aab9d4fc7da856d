/** cash: balances per day and connection, and cash on hand computed from them. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { getCashHistory } from './get-cash-history.ts';
import { getCashOnHand } from './get-cash-on-hand.ts';
import { getCashBalance, listCashBalances } from './read-cash-balances.ts';
import { upsertCashBalance } from './upsert-cash-balance.ts';

export const cash = {
  balances: {
    upsert: upsertCashBalance,
    get: getCashBalance,
    list: listCashBalances,
  },
  onHand: getCashOnHand,
  history: getCashHistory,
} satisfies Handlers<typeof operations.cash>;
