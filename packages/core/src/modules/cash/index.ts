/** cash: balances per day and connection, and the cash on hand that follows from them. */
export { getCashBalance } from './get-cash-balance.ts';
export { getCashOnHand } from './get-cash-on-hand.ts';
export { listCashBalances } from './list-cash-balances.ts';
export { upsertCashBalance } from './upsert-cash-balance.ts';
