/** bank: the transactions of a company's bank connections. Their list is in `financials`, which knows what counts. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../../verbs/verb.ts';
import { ingestTransactions } from './ingest.ts';
import { getTransaction } from './transaction.ts';
import { updateTransaction } from './update.ts';

export const bank = {
  transactions: {
    ingest: ingestTransactions,
    get: getTransaction,
    update: updateTransaction,
  },
} satisfies { transactions: Handlers<Omit<typeof operations.bank.transactions, 'list' | 'bulk'>> };
