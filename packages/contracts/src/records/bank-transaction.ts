import { z } from 'zod';
import { fieldError } from '../field-error.ts';
import {
  amount,
  connectionId,
  createdAt,
  currency,
  currencyInput,
  exactCents,
  id,
  instant,
  objectType,
  optional,
  source,
  text,
  timestamp,
  withDescriptionsOf,
} from '../scalars.ts';
import { changeFields } from './change-fields.ts';
import { dryRun, flowTotals } from './dry-run.ts';
import { warnings } from './list.ts';

export const MAX_TRANSACTIONS = 500;
/** Rows that one request can change. */
export const MAX_BULK_ROWS = 50_000;

export const flowClass = z.enum(['counted', 'financing', 'transfer', 'excluded']);
export type FlowClass = z.output<typeof flowClass>;

/** Categories, and connections, that a list returns of its transactions. */
export const MAX_LABELS = 500;

/** Longest category of a row, in characters. */
const MAX_CATEGORY = 100;
/** A category that a person or a rule gives rows. */
export const givenCategory = text(1, MAX_CATEGORY);

const categoryReason = z.enum(['person', 'rule', 'posted']);

const flowReason = z.enum(['account', 'person', 'rule', 'category', 'pair', 'large_inflow', 'default']);
export type FlowReason = z.output<typeof flowReason>;

export const bankTransactionRow = z
  .object({
    id: id('txn'),
    external_id: z
      .string()
      .describe(
        "The provider's ID of the transaction. Together with `connection_id` it makes ingestion idempotent: a known pair is skipped. With `match=content` it may be left out, or be used twice; the stored ID then is the row's own `id`, or this one with a suffix.",
      ),
    posted_at: timestamp.describe(
      'When the transaction posted, as an ISO 8601 timestamp with a time zone; stored and returned in UTC.',
    ),
    amount_cents: z
      .int()
      .describe('Signed amount in minor currency units; negative is money out, positive is money in.'),
    currency: currency.describe(
      'ISO 4217 currency code. If a request leaves it out, it is inferred from the connection, then from the latest balance, then from the company.',
    ),
    currency_inferred: z.boolean().describe('True if the request named no currency.'),
    description: z.string().describe('Free text of the bank; an empty string if there is none.'),
    category: z
      .string()
      .nullable()
      .describe(
        'Free label, for example `software`: what a person set, else what the first flow rule with a category that applies sets, else `posted_category`; null if there is none.',
      ),
    posted_category: z
      .string()
      .nullable()
      .describe(
        'The category that the provider sent; null if it sent none. Flow rules look for their text in this one.',
      ),
    category_reason: categoryReason
      .nullable()
      .describe(
        'Where `category` is from: `person` if somebody set it for this row, `rule` if a flow rule of the company did, `posted` if it is as it was sent; null without a category.',
      ),
    counterparty: z.string().nullable().describe('Name of the other party; null if not known.'),
    connection_id: z
      .string()
      .nullable()
      .describe(
        'Connection the row belongs to: any label of the provider, or the ID of a bank connection (`conn_…`); null for none.',
      ),
    source: z.string().describe('Label of the provider or tool that sent the row; `api` by default.'),
    flow_class: flowClass
      .nullable()
      .describe(
        'What a person said the row is in the figures: `counted`; `financing`, which is left out as money in; `transfer` or `excluded`, which are left out on both sides. null if nobody did, and then the rules of the figures decide.',
      ),
    voided_at: timestamp
      .nullable()
      .describe(
        'When a person voided the row (UTC); null if it is not voided. A voided row is in no figure, and keeps its place in lists and its `external_id`.',
      ),
    created_at: createdAt,
    updated_at: timestamp.describe('When the row last changed (UTC); `created_at` if it never did.'),
  })
  .meta({
    id: 'BankTransactionRow',
    description: 'A bank transaction as events and ingestion results list it; its company is a field beside the list.',
  });
export type BankTransactionRow = z.output<typeof bankTransactionRow>;

export const bankTransactionInput = z
  .object(
    withDescriptionsOf(bankTransactionRow, {
      external_id: text(1, 255),
      posted_at: instant,
      amount_cents: amount,
      description: optional(text(0, 2000)),
      category: optional(text(0, MAX_CATEGORY)).meta({
        description: 'Free label, for example `software`. An empty string means none.',
      }),
      counterparty: optional(text(0, 255)).meta({
        description: 'Name of the other party. An empty string means none.',
      }),
      connection_id: optional(connectionId),
      currency: optional(currencyInput),
      source: optional(source),
    }),
  )
  .meta({ id: 'BankTransactionInput', description: 'One bank transaction as a provider posts it.' });
export type BankTransactionInput = z.output<typeof bankTransactionInput>;

export const contentTransactionInput = bankTransactionInput
  .extend({
    external_id: optional(text(0, 255)).describe(
      "The bank's reference of the transaction, as it is. Absent, `null` or empty if there is none; the row then gets its own `id`.",
    ),
  })
  .meta({ id: 'ContentTransactionInput', description: 'One bank transaction of a request with `match=content`.' });
export type ContentTransactionInput = z.output<typeof contentTransactionInput>;

const countedAs = z
  .object({
    flow_class: flowClass.describe(
      '`counted` rows are money in and money out. `financing` is left out as money in and counts as money out. `transfer` and `excluded` are left out on both sides.',
    ),
    flow_reason: flowReason.describe(
      'The step that decided, the first one that applied: `account` if the rows of the account do not count or another account replaces it, `person` and `rule` if somebody set the class, `category`, `pair` if it is one side of a found transfer, `large_inflow` if it is far more than the company usually receives, else `default`.',
    ),
    paired_with: id('txn')
      .nullable()
      .describe(
        'The other side of the transfer between accounts of the company that the service found, whatever decided the class; null if it found none, and if the settings count suspected transfers.',
      ),
  })
  .meta({ id: 'CountedAs', description: 'What a transaction is in the figures of its month, and why.' });
export type CountedAs = z.output<typeof countedAs>;

export const bankTransaction = bankTransactionRow
  .extend({
    object: objectType('bank_transaction'),
    account_id: id('acct'),
    company_id: id('co'),
    counted_as: countedAs
      .nullable()
      .optional()
      .describe(
        'What the transaction is in the figures of its month. Present only in a list with `month`; null if it is in no figure, because it is voided or lies in the future.',
      ),
  })
  .meta({
    id: 'BankTransaction',
    description:
      'A booked bank transaction. A sender changes a stored one only with `on_duplicate=update`; a person may classify, categorize or void it.',
  });
export type BankTransaction = z.output<typeof bankTransaction>;

const skippedTransaction = z
  .object({
    index: z.int().describe('Position of the row in the request, from 0.'),
    external_id: z
      .string()
      .describe("The provider's ID of the transaction as it was sent; that of the stored row if none was sent."),
    connection_id: z.string().nullable().describe('Connection of the row; null for none.'),
    reason: z
      .enum(['duplicate', 'duplicate_in_request', 'known', 'voided'])
      .describe(
        '`duplicate` if its ID was stored before, `duplicate_in_request` if an earlier row of this request has the same, `voided` if the row stored with its ID is voided. `known`, the reason with `match=content`, if a stored row has its day, amount and currency.',
      ),
    existing_id: z
      .string()
      .nullable()
      .describe('ID of the stored transaction (`txn_…`); null if the first row was rejected or not stored.'),
    differs: z
      .array(z.string())
      .describe(
        'Fields whose values differ from the stored ones, which stay as they are. With the reason `known`: of `description`, `category`, `counterparty` and `source`.',
      ),
    matched_by: z
      .enum(['reference', 'text', 'amount'])
      .optional()
      .describe(
        'What the row and the stored one have in common besides day, amount and currency: the `external_id` (`reference`), the words of description and counterparty (`text`), or nothing (`amount`), so that they may be two transactions. Present only with the reason `known`.',
      ),
  })
  .meta({
    id: 'SkippedTransaction',
    description: 'A row of the request that was not stored because it is known already.',
  });
export type SkippedTransaction = z.output<typeof skippedTransaction>;

const updatedTransaction = z
  .object({
    index: z.int().describe('Position of the row in the request, from 0.'),
    id: id('txn'),
    external_id: z.string().describe("The provider's ID of the transaction."),
    ...changeFields,
  })
  .meta({ id: 'UpdatedTransaction', description: 'A stored transaction that the request changed.' });
export type UpdatedTransaction = z.output<typeof updatedTransaction>;

export const transactionIngest = z
  .object({
    object: objectType('transaction_ingest'),
    id: id('ing'),
    company_id: id('co'),
    received: z.int().describe('Rows in the request.'),
    inserted: z.int().describe('Rows stored by the request.'),
    updated: z.int().describe('Stored rows that the request changed; always 0 without `on_duplicate=update`.'),
    skipped: z.int().describe('Rows that were known already.'),
    failed: z.int().describe('Invalid rows that were left out; always 0 without `on_error=skip` or `dry_run=true`.'),
    count: z.int().describe('Same as `inserted`, as in the event.'),
    transactions: z.array(bankTransactionRow).describe('The stored rows, in the order of the request.'),
    updated_transactions: z
      .array(updatedTransaction)
      .describe('The stored rows that the request changed, in the order of the request.'),
    skipped_transactions: z
      .array(skippedTransaction)
      .describe('The rows that were known already, in the order of the request.'),
    errors: z
      .array(
        fieldError
          .extend({ index: z.int().describe('Position of the invalid row in the request, from 0.') })
          .meta({ id: 'RowError', description: 'An error of one row of a batch.' }),
      )
      .describe('Errors of the rows that were not stored; the first 100 in a dry run.'),
    totals: flowTotals,
    warnings,
    event_id: id('evt').describe('ID of the `bank.transaction.posted` event that the request emitted (`evt_…`).'),
    dry_run: dryRun,
  })
  .meta({ id: 'TransactionIngest', description: 'Result of an ingestion request, row by row.' });

export const transactionBulkUpdate = z
  .object({
    object: objectType('transaction_bulk_update'),
    company_id: id('co'),
    count: z.int().describe('Transactions that the filter selects.'),
    updated: z.int().describe('Those of them that the request changed.'),
    unchanged: z.int().describe('Those that were so already.'),
  })
  .meta({ id: 'TransactionBulkUpdate', description: 'Result of a change of all transactions that a filter selects.' });

export const transactionTotals = z
  .object({
    currency,
    transactions: z.int().describe('Number of the transactions that are not voided, and so in the sums.'),
    ...exactCents('in', 'Sum of the amounts above zero.'),
    ...exactCents('out', 'Sum of the amounts below zero, without the sign.'),
    ...exactCents('net', '`in` less `out`.'),
  })
  .meta({ id: 'TransactionTotals', description: 'Money in and out of a list of transactions in one currency.' });

const labelled = z.int().describe('Number of the transactions that have it, voided ones too.');

export const transactionLabels = z
  .object({
    categories: z
      .array(z.object({ category: z.string().describe('As in `category` of a transaction.'), transactions: labelled }))
      .describe('Categories that apply by now; transactions without one are in none.'),
    connections: z
      .array(
        z.object({
          connection_id: z.string().nullable().describe('As in `connection_id` of a transaction; null for none.'),
          transactions: labelled,
        }),
      )
      .describe('Connections that the transactions belong to, as the labels of their provider or bank connections.'),
  })
  .meta({ id: 'TransactionLabels', description: 'Categories and connections of a list of transactions.' });
