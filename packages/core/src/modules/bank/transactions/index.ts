/** bank: the transactions of a company's bank connections. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../../kernel/verb.ts';
import { ingestTransactions } from './ingest.ts';
import { getTransaction, listTransactions } from './read.ts';

export const bank = {
  transactions: {
    ingest: ingestTransactions,
    get: getTransaction,
    list: listTransactions,
  },
} satisfies Handlers<Pick<typeof operations.bank, 'transactions'>>;
