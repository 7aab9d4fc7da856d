/** bank: transactions of a company's bank connections. */
export { getTransaction } from './get-transaction.ts';
export { ingestTransactions } from './ingest-transactions.ts';
export { listTransactions } from './list-transactions.ts';
