import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  bankTransaction,
  bankTransactionInput,
  MAX_TRANSACTIONS,
  transactionIngest,
} from '../records/bank-transaction.ts';
import { listOf, pageParameters, timeFilters } from '../records/list.ts';
import { amount, currencyInput, idParameter, instant, text } from '../scalars.ts';

const address = {
  company_id: idParameter,
  on_error: z.enum(['reject', 'skip']).optional().meta({
    description:
      '`skip` stores the valid rows and answers 200 with the others in `errors`; by default one bad row refuses the request',
  }),
};
const single = z.object({ ...address, ...bankTransactionInput.shape });
const batch = z.object({ ...address, transactions: z.array(bankTransactionInput).min(1).max(MAX_TRANSACTIONS) });

export const bankOperations = {
  transactions: {
    ingest: defineOperation({
      id: 'bank.transactions.ingest',
      kind: 'mutation',
      summary: 'Post one bank transaction or up to 500; known ones are skipped',
      http: {
        method: 'POST',
        path: '/companies/{company_id}/bank/transactions',
        success: 200,
        status: (output: { inserted: number; failed: number }) =>
          output.inserted > 0 && output.failed === 0 ? 201 : 200,
        query: ['on_error'],
      },
      scopes: ['human'],
      permission: 'transactions:write',
      input: z.union([batch, single]),
      variant: (raw: Record<string, unknown>) => ('transactions' in raw ? batch : single),
      rows: { field: 'transactions', max: MAX_TRANSACTIONS, row: bankTransactionInput },
      output: transactionIngest,
      errors: ['company_not_found', 'company_dissolved', 'connection_disconnected', 'batch_too_large'],
      emits: ['bank.transaction.posted'],
      example: {
        transactions: [
          {
            external_id: 'bank-7781',
            posted_at: '2026-03-01T14:05:00Z',
            amount_cents: -12_500,
            currency: 'USD',
            description: 'Cloud hosting, February',
            category: 'software',
            counterparty: 'Example Cloud',
            connection_id: 'operating',
          },
        ],
      },
    }),
    get: defineOperation({
      id: 'bank.transactions.get',
      kind: 'query',
      summary: 'Read a bank transaction',
      http: { method: 'GET', path: '/companies/{company_id}/bank/transactions/{transaction_id}', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({ company_id: idParameter, transaction_id: idParameter }),
      output: bankTransaction,
      errors: ['company_not_found', 'not_found'],
      emits: [],
      example: {},
    }),
    list: defineOperation({
      id: 'bank.transactions.list',
      kind: 'query',
      summary: 'List bank transactions, latest posting first',
      http: { method: 'GET', path: '/companies/{company_id}/bank/transactions', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        posted_from: instant.optional(),
        posted_to: instant.optional(),
        ...timeFilters,
        connection_id: text(1, 255).optional(),
        external_id: text(1, 255).optional(),
        source: text(1, 100).optional(),
        category: text(1, 100).optional(),
        counterparty: text(1, 255).optional(),
        currency: currencyInput.optional(),
        min_amount_cents: amount.optional(),
        max_amount_cents: amount.optional(),
        direction: z.enum(['in', 'out']).optional(),
        q: text(1, 200).optional(),
      }),
      output: listOf(bankTransaction),
      errors: ['company_not_found', 'invalid_cursor'],
      emits: [],
      example: {},
    }),
  },
};
