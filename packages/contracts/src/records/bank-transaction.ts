import { z } from 'zod';
import { amount, currency, currencyInput, id, instant, optional, text, timestamp } from '../scalars.ts';
import { connectionId, source } from './cash-balance.ts';
import { fieldError, warnings } from './list.ts';

/** Rows that one request may carry. */
export const MAX_TRANSACTIONS = 500;

/** One bank transaction as a provider posts it; negative is money out. */
export const bankTransactionInput = z.object({
  external_id: text(1, 255),
  posted_at: instant,
  amount_cents: amount,
  description: optional(text(0, 2000)),
  category: optional(text(0, 100)).meta({ description: 'Empty text means none' }),
  counterparty: optional(text(0, 255)).meta({ description: 'Empty text means none' }),
  connection_id: optional(connectionId),
  currency: optional(currencyInput),
  source: optional(source),
});
export type BankTransactionInput = z.output<typeof bankTransactionInput>;

/** A stored transaction as events and ingest answers carry it; the company stands beside the list. */
export const bankTransactionRow = z
  .object({
    id: id('txn'),
    external_id: z.string(),
    posted_at: timestamp,
    amount_cents: z.int(),
    currency,
    currency_inferred: z.boolean(),
    description: z.string(),
    category: z.string().nullable(),
    counterparty: z.string().nullable(),
    connection_id: z.string().nullable(),
    source: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'BankTransactionRow' });
export type BankTransactionRow = z.output<typeof bankTransactionRow>;

export const bankTransaction = bankTransactionRow
  .extend({ object: z.literal('bank_transaction'), account_id: id('acct'), company_id: id('co') })
  .meta({ id: 'BankTransaction' });
export type BankTransaction = z.output<typeof bankTransaction>;

export const skippedTransaction = z
  .object({
    index: z.int(),
    external_id: z.string(),
    connection_id: z.string().nullable(),
    reason: z.enum(['duplicate', 'duplicate_in_request']),
    existing_id: z.string().nullable(),
    differs: z.array(z.string()),
  })
  .meta({ id: 'SkippedTransaction' });
export type SkippedTransaction = z.output<typeof skippedTransaction>;

/** What an ingest request did, row by row. */
export const transactionIngest = z
  .object({
    object: z.literal('transaction_ingest'),
    id: id('ing'),
    company_id: id('co'),
    received: z.int(),
    inserted: z.int(),
    skipped: z.int(),
    failed: z.int(),
    count: z.int().meta({ description: 'The same as `inserted`, as in the event' }),
    transactions: z.array(bankTransactionRow),
    skipped_transactions: z.array(skippedTransaction),
    errors: z.array(fieldError.extend({ index: z.int() })),
    warnings,
    event_id: id('evt'),
  })
  .meta({ id: 'TransactionIngest' });
