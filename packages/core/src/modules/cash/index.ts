/** cash: balances per day and connection, and the cash on hand that follows from them. */
export { type CashView, type JudgedStream, type StreamBalance, sumCash, toCashOnHand } from './cash-on-hand.ts';
export { endedCtes } from './ended-sql.ts';
export { getCashBalance } from './get-cash-balance.ts';
export { getCashHistory } from './get-cash-history.ts';
export { getCashOnHand } from './get-cash-on-hand.ts';
export { listCashBalances } from './list-cash-balances.ts';
export { readCash } from './read-cash.ts';
export { streamCtes } from './read-streams.ts';
export { upsertCashBalance } from './upsert-cash-balance.ts';
