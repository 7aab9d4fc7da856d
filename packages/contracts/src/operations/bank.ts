import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  bankTransaction,
  bankTransactionInput,
  contentTransactionInput,
  flowClass,
  givenCategory,
  MAX_BULK_ROWS,
  MAX_LABELS,
  MAX_TRANSACTIONS,
  transactionBulkUpdate,
  transactionIngest,
  transactionLabels,
  transactionTotals,
} from '../records/bank-transaction.ts';
import { MAX_BREAKDOWN_MONTHS } from '../records/breakdown.ts';
import { dryRunInput } from '../records/dry-run.ts';
import { listWith, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import {
  amount,
  coded,
  currencyInput,
  idParameter,
  instant,
  monthInput,
  optional,
  strictInput,
  text,
} from '../scalars.ts';

const address = {
  company_id: idParameter,
  on_error: z.enum(['reject', 'skip']).optional().meta({
    description:
      '`reject`, the default, rejects the whole request for one invalid row. `skip` stores the valid rows and returns the others in `errors`.',
  }),
  dry_run: dryRunInput,
};
const match = z.enum(['id', 'content']);
const matchDescription =
  'What makes a row known. `id`, the default: its (`connection_id`, `external_id`) is stored. `content`: the connection has as many rows of its day (in the company’s time zone), amount and currency as the request; then `external_id` is optional. Send all rows of one day, amount and currency in one request.';

const onDuplicate = z.enum(['skip', 'update']);
const onDuplicateDescription =
  'What happens to a row whose (`connection_id`, `external_id`) is stored with other content. `skip`, the default, leaves the stored row as it is. `update` gives it the sent `posted_at`, `amount_cents`, `description`, `category` and `counterparty`, which are emptied if they are left out, and `currency` and `source` if they are sent. The class and the category that a person set stay, and a voided row is skipped. With `match=content` only `skip`: what makes such a row known leaves nothing to correct.';

function formsOf<M extends z.ZodType, D extends z.ZodType, R extends z.ZodRawShape>(
  matching: M,
  duplicates: D,
  row: z.ZodObject<R>,
) {
  const outside = {
    ...address,
    match: matching.describe(matchDescription),
    on_duplicate: duplicates.describe(onDuplicateDescription),
  };
  const transactions = z.array(row).min(1).max(MAX_TRANSACTIONS).describe('The transactions, 1 to 500.');
  return { batch: z.object({ ...outside, transactions }), single: z.object({ ...outside, ...row.shape }) };
}

const byId = formsOf(match.optional(), onDuplicate.optional(), bankTransactionInput);
const byContent = formsOf(
  match.extract(['content']),
  onDuplicate.extract(['skip']).optional(),
  contentTransactionInput,
);

/** Values of a filter that takes several. */
const MAX_VALUES = 50;
const anyOf = <T extends z.ZodType>(value: T) => z.array(value).min(1).max(MAX_VALUES);

const transactionFilters = {
  posted_from: instant.optional().describe('Only transactions posted at or after this time.'),
  posted_to: instant.optional().describe('Only transactions posted before this time.'),
  ...timeFilters,
  connection_id: text(1, 255)
    .optional()
    .describe('Only transactions of this connection; `none` for those without one.'),
  external_id: text(1, 255).optional().describe('Only transactions with exactly this `external_id`.'),
  source: text(1, 100).optional().describe('Only transactions with exactly this source.'),
  category: text(1, 100)
    .optional()
    .describe('Only transactions with exactly this `category`, whether it was posted or set by a person or a rule.'),
  category_key: text(1, 100)
    .optional()
    .describe(
      'Only transactions whose category has this `key` in the breakdown; `NONE`, in capitals as no key is, for those without one.',
    ),
  counterparty: text(1, 255).optional().describe('Only transactions with exactly this counterparty.'),
  counterparty_key: text(1, 255)
    .optional()
    .describe(
      'Only transactions whose counterparty has this `key` in the breakdown; `NONE`, in capitals as no key is, for those without one.',
    ),
  currency: currencyInput.optional().describe('Only transactions in this currency.'),
  min_amount_cents: amount
    .optional()
    .describe('Only amounts of at least this many minor units; negative is money out.'),
  max_amount_cents: amount.optional().describe('Only amounts of at most this many minor units; negative is money out.'),
  direction: z.enum(['in', 'out']).optional().describe('`in` for amounts above zero, `out` for amounts below zero.'),
  q: text(1, 200)
    .optional()
    .describe('Only transactions whose description, counterparty or `external_id` contains this text, in any case.'),
  month: monthInput
    .optional()
    .describe(
      'Only transactions of this calendar month (`YYYY-MM`) in the time zone of the company, each with `counted_as`.',
    ),
  month_to: monthInput
    .optional()
    .describe(
      `With \`month\`, which is then the first one: the last month, at most ${MAX_BREAKDOWN_MONTHS - 1} later. The default is \`month\`.`,
    ),
  counted_as: flowClass
    .optional()
    .describe('Only transactions that are of this class in the figures of `month`, which is required with it.'),
  counts: z
    .boolean()
    .optional()
    .describe(
      '`true`: only transactions that money in or money out of the figures of `month` consists of; `false`: only those that the figures leave out. `month` is required with it.',
    ),
  categories: anyOf(text(1, 100))
    .optional()
    .describe('Only transactions whose `category` is exactly one of these, at most 50.'),
  connection_ids: anyOf(text(1, 255))
    .optional()
    .describe('Only transactions of one of these connections, at most 50; `none` for those without one.'),
};

const corrections = {
  flow_class: flowClass
    .nullish()
    .describe(
      'What the row is in the figures: `counted`, `financing`, `transfer` or `excluded`. null takes the class back, so that the rules of the figures decide again.',
    ),
  category: givenCategory
    .nullish()
    .describe(
      'The category of the row, in place of the posted one, which stays in `posted_category`. null takes it back, so that the rules or the posted category decide again.',
    ),
  voided: optional(z.boolean()).describe(
    '`true` voids the row: it is in no figure and no reconciliation, and stays in lists and exports. `false` restores it.',
  ),
};
const reason = optional(text(1, 500)).describe('Why it is changed, kept in the audit log.');

const hasValue = (fields: object): boolean => Object.values(fields).some((value) => value != null);
const bulkFilter = strictInput(inBody(transactionFilters), 'filter of the list')
  .refine(hasValue, coded('too_few', 'must have at least one filter'))
  .meta({
    id: 'TransactionFilter',
    description:
      'Filters of the list of transactions, by their names, such as `counterparty`, `q` or `month`. A transaction is selected if it meets all of them.',
  });
const bulkChange = strictInput(corrections, 'field of a change')
  .refine(
    ({ flow_class, category, voided }) => flow_class !== undefined || category !== undefined || voided != null,
    coded('required', 'must have flow_class, category or voided'),
  )
  .meta({
    id: 'TransactionChange',
    description: 'What the selected transactions become: at least one of `flow_class`, `category` and `voided`.',
  });

type Optional = Record<string, z.ZodOptional<z.ZodType>>;
type InBody<S extends Optional> = {
  [Name in keyof S]: S[Name] extends z.ZodOptional<infer T> ? z.ZodOptional<z.ZodNullable<T>> : never;
};

/** In a body, null means the same as absent. */
function inBody<S extends Optional>(filters: S): InBody<S> {
  return asInBody<S>(
    Object.fromEntries(
      Object.entries(filters).map(([name, field]) => [
        name,
        field
          .unwrap()
          .nullish()
          .describe(field.description ?? ''),
      ]),
    ),
  );
}

function asInBody<S extends Optional>(fields: Record<string, z.ZodType>) {
  return fields as InBody<S>;
}

export const bankOperations = {
  transactions: {
    ingest: defineOperation({
      summary: 'Ingest one bank transaction or a batch of up to 500',
      description:
        'Inserts new transactions and skips those whose (`connection_id`, `external_id`) is already stored. With `on_duplicate=update` a stored one whose content differs takes what was sent; `updated_transactions` has what it replaced. With `match=content`, for bank statements, the rows are compared by their content instead: of n rows of a connection, day (in the company’s time zone), amount and currency, of which m are stored, n − m are new, and the others are skipped with the reason `known`. Emits one `bank.transaction.posted` per accepted request with the inserted rows, also when there are none, and then one `bank.transaction.updated` with the cause `resent` if it changed stored rows. By default one invalid row rejects the whole request; with `on_error=skip` the valid rows are stored and the others are returned in `errors`. A `connection_id` that begins with `conn_` must be a bank connection of the company. A key of scope `ingest` cannot post under a `connection_id` whose first row another key posted (409 `connection_owned`); rows that name no connection count as one connection. With `dry_run=true` nothing is stored: the response counts the rows, also the invalid ones, lists their first 100 errors, and warns of what looks wrong (`all_same_sign`, `suspected_duplicate`, `suspected_duplicate_connection`). Rows in another currency than the stored ones of their connection have the warning `currency_changed`.',
      http: {
        method: 'POST',
        path: '/companies/{company_id}/bank/transactions',
        status: (output: { inserted: number; failed: number; dry_run?: boolean }) =>
          output.inserted > 0 && output.failed === 0 && !output.dry_run ? 201 : 200,
        query: ['on_error', 'dry_run', 'match', 'on_duplicate'],
      },
      scopes: ['human', 'ingest'],
      permission: 'transactions:write',
      // openapi.json describes the first batch, forms the last description of a field.
      input: z.union([byId.batch, byContent.batch, byContent.single, byId.single]),
      variant: (raw: Record<string, unknown>) => {
        const { batch, single } = raw['match'] === 'content' ? byContent : byId;
        return 'transactions' in raw ? batch : single;
      },
      rows: { field: 'transactions', max: MAX_TRANSACTIONS, row: bankTransactionInput },
      output: transactionIngest,
      errors: ['company_dissolved', 'connection_disconnected', 'connection_owned', 'batch_too_large'],
      emits: ['bank.transaction.posted', 'bank.transaction.updated'],
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
      summary: 'Read a bank transaction',
      description:
        'A sender changes a stored transaction only with `on_duplicate=update`; a person may classify, categorize or void it. `flow_class`, `category_reason`, `voided_at` and `updated_at` say what happened to it.',
      http: { method: 'GET', path: '/companies/{company_id}/bank/transactions/{transaction_id}' },
      input: z.object({ company_id: idParameter, transaction_id: idParameter }),
      output: bankTransaction,
    }),
    update: defineOperation({
      summary: 'Classify, categorize, void or restore a bank transaction',
      description:
        'Sets what the row is in the figures, or its category, or voids it. What the request leaves out stays. A category by a person decides before the rules and the posted one, in lists, events and figures; rules go on matching the posted one. A voided row keeps its (`connection_id`, `external_id`), so sending it again does not store it a second time. Emits `bank.transaction.updated` with the cause `edited`; a request that changes nothing emits no event. A new class for a row of an `investment`, `restricted` or `loan` account is 409 `account_not_counted`.',
      http: { method: 'PATCH', path: '/companies/{company_id}/bank/transactions/{transaction_id}' },
      permission: 'transactions:write',
      input: z.object({ company_id: idParameter, transaction_id: idParameter, ...corrections, reason }),
      output: writeResult(bankTransaction),
      errors: ['company_dissolved', 'account_not_counted'],
      emits: ['bank.transaction.updated'],
      example: { flow_class: 'financing', reason: 'Loan of the founder' },
    }),
    bulk: defineOperation({
      summary: 'Classify, categorize, void or restore all transactions that a filter selects',
      description:
        'Changes up to 50,000 transactions in one step, all of them or none. `filter` takes the filters of the list, at least one, and `expected_count` the number of transactions that the list has with them (`include=total_count`): if the filter selects another number by now, the response is 409 `count_changed` with that number. Transactions that are already so stay as they are. Emits `bank.transaction.updated` with the cause `edited`, in events of up to 500 transactions each; a request that changes nothing emits none. A new class for rows of an `investment`, `restricted` or `loan` account is 409 `account_not_counted`, with all such accounts in `connection_ids`: send one request for each of the other accounts.',
      http: { method: 'POST', path: '/companies/{company_id}/bank/transactions/bulk' },
      permission: 'transactions:write',
      input: z.object({
        company_id: idParameter,
        filter: bulkFilter,
        set: bulkChange,
        expected_count: z
          .int()
          .min(0)
          .refine(
            (count) => count <= MAX_BULK_ROWS,
            coded('out_of_range', `must be at most ${MAX_BULK_ROWS}; narrow the filter and send several requests`),
          )
          .meta({
            maximum: MAX_BULK_ROWS,
            description:
              'The number of transactions that the filter selects, at most 50,000; for more, narrow the filter.',
          }),
        reason,
      }),
      output: writeResult(transactionBulkUpdate),
      errors: ['company_dissolved', 'account_not_counted', 'count_changed'],
      emits: ['bank.transaction.updated'],
      example: {
        filter: { counterparty: 'Example Cloud' },
        set: { flow_class: 'excluded' },
        expected_count: 1,
        reason: 'Paid for another company',
      },
    }),
    list: defineOperation({
      summary: 'List bank transactions, latest posting first',
      description:
        'Rows are sorted by `posted_at`, or by `sort`. Voided transactions are in the list, with their `voided_at`. `updated_since` selects the transactions that were stored or changed since. With `month`, each row has `counted_as`, which says what it is in the figures of that month. The rows of a month add up to its `financials.monthly`, per currency: with `counts=true`, the rows above zero add up to `money_in_cents` and those below zero to `money_out_cents`; with `counts=false`, to `excluded_in_cents` and `excluded_out_cents`.',
      http: { method: 'GET', path: '/companies/{company_id}/bank/transactions' },
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        order: pageParameters.order.describe('Sort order, `desc` for the newest or the largest first.'),
        sort: z
          .enum(['posted_at', 'amount_cents'])
          .optional()
          .describe(
            'What the rows are sorted by, `posted_at` by default. `amount_cents` sorts by the signed amount, then by ID. Amounts of several currencies are compared by their minor units: filter by `currency` with it. Each page then reads all transactions that the filters select, as `include=totals` does, which is slow for large lists, so files (`format`) take `posted_at` only. A cursor is valid only for the `sort` that returned it.',
          ),
        include: z
          .enum(['total_count', 'totals', 'labels'])
          .optional()
          .describe(
            '`total_count` adds the number of transactions that the filters select, `totals` that number and their sums per currency, `labels` their categories and connections. All three read all of them, which is slow for large lists.',
          ),
        ...transactionFilters,
      }),
      output: listWith(bankTransaction, {
        total_count: z
          .int()
          .optional()
          .describe(
            'Number of transactions that the filters select, voided ones too. Present only with `include=total_count` and `include=totals`.',
          ),
        totals: z
          .array(transactionTotals)
          .optional()
          .describe(
            'Money in and out of all transactions that the filters select, except voided ones, per currency in the order of their codes. Nothing is converted. Present only with `include=totals`.',
          ),
        labels: transactionLabels
          .optional()
          .describe(
            `Categories and connections of the transactions that the filters select, at most ${MAX_LABELS} of each, the most frequent first. Present only with \`include=labels\`.`,
          ),
      }),
    }),
  },
};
