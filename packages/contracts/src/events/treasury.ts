import { z } from 'zod';
import { bankApproval } from '../records/bank-approval.ts';
import { bankConnection, syncRun } from '../records/bank-connection.ts';
import { bankTransactionRow } from '../records/bank-transaction.ts';
import { balanceResult, cashBalance, previousBalance } from '../records/cash.ts';
import { changeFields } from '../records/change-fields.ts';
import { financialSnapshot, snapshotCheck, snapshotResult } from '../records/financial-snapshot.ts';
import { currency, id, objectType, sampleId } from '../scalars.ts';
import { at, defineEvent, idsIn, sampleActor, sampleApprovalActor, sampleOf } from './define-event.ts';

const group = 'Treasury and bank';

const cashLine = z.object({
  currency,
  balance_cents: z
    .int()
    .nullable()
    .describe('Sum in minor currency units; null if beyond 2^53−1 (see `balance_string`).'),
  balance_string: z.string().optional().describe('Digits of `balance_cents`, present only beyond 2^53−1.'),
});

const balanceUpdated = cashBalance.extend({
  result: balanceResult,
  previous_balance_cents: previousBalance,
  cash_on_hand: z.array(cashLine).describe('Cash on hand of the company after the request, one entry per currency.'),
});

const transactionBatch = z.object({
  object: objectType('transaction_batch'),
  ingest_id: id('ing'),
  company_id: id('co'),
  count: z.int().describe('Number of transactions that the request stored.'),
  transactions: z.array(bankTransactionRow).describe('The stored transactions, in the order of the request.'),
  received: z.int().describe('Rows in the request.'),
  skipped: z.int().describe('Rows that were known already.'),
});

const transactionUpdate = z.object({
  object: objectType('transaction_update'),
  company_id: id('co'),
  cause: z.enum(['resent', 'edited']).meta({
    description:
      '`resent` if a request with `on_duplicate=update` sent the rows again, `edited` if a person classified, categorized, voided or restored them.',
  }),
  count: z.int().describe('Number of transactions in the event, at most 500.'),
  transactions: z
    .array(
      bankTransactionRow.extend(changeFields).meta({
        id: 'UpdatedTransactionRow',
        description:
          'A bank transaction as it is now. With the values of `previous` in place it is as it was before, apart from `updated_at`.',
      }),
    )
    .describe('The changed transactions, each with what changed.'),
});

const snapshotUpdated = financialSnapshot.extend({
  result: snapshotResult,
  checks: z.array(snapshotCheck).describe('Results of the checks of the statement.'),
});

const connection = sampleOf(bankConnection, {
  provider: 'sandbox',
  institution_name: 'Example Bank',
  account_name: 'Operating',
  account_last4: '6789',
  currency: 'USD',
  status: 'pending',
  has_secret: false,
  freshness: { balance: null, transactions: null, statements: null },
  backfill_status: 'none',
});
const transaction = sampleOf(bankTransactionRow, {
  external_id: 'bank-7781',
  posted_at: '2026-03-01T14:05:00.000Z',
  amount_cents: -125_00,
  currency: 'USD',
  currency_inferred: false,
  description: 'Cloud hosting, February',
  category: 'software',
  posted_category: 'software',
  category_reason: 'posted',
  counterparty: 'Example Cloud',
  connection_id: 'operating',
  source: 'bank_sync',
});
const configured = { has_secret: true, secret_last4: '0001', secret_configured_at: at };

export const treasuryEvents = {
  'bank.connected': defineEvent({
    group,
    description: 'A bank account is connected.',
    data: bankConnection,
    thin: ['object', 'id', 'company_id', 'status'],
    sample: connection,
  }),
  'bank.connection.linked': defineEvent({
    group,
    description: 'A bank account is connected.',
    data: bankConnection,
    thin: ['object', 'id', 'company_id', 'status'],
    sample: connection,
  }),
  'bank.connection.secret_configured': defineEvent({
    group,
    description: "The connection's API token is stored.",
    data: bankConnection.extend({ rotated: z.boolean().describe('True if the token replaced another one.') }),
    thin: ['object', 'id', 'company_id', 'status'],
    sample: { ...connection, status: 'active', ...configured, rotated: false },
  }),
  'bank.connection.disconnected': defineEvent({
    group,
    description: 'A bank account is disconnected.',
    data: bankConnection.extend({
      reason: z.string().optional().describe('Why the connection was disconnected; absent if no reason was given.'),
      rows_retained: z.literal(true).describe('Always true: the data of the connection is kept.'),
    }),
    thin: ['object', 'id', 'company_id', 'status'],
    sample: {
      ...connection,
      status: 'disconnected',
      disconnected_at: at,
      disconnected_by: sampleActor,
      reason: 'The account was closed',
      rows_retained: true,
    },
  }),
  'bank.transaction.posted': defineEvent({
    group,
    description: 'A request stores new bank transactions: one event per request.',
    data: transactionBatch,
    thin: ['object', 'ingest_id', 'company_id', 'count', 'received', 'skipped'],
    thinIds: { transaction_ids: idsIn('transactions', id('txn')) },
    sample: sampleOf(transactionBatch, {
      count: 1,
      received: 2,
      skipped: 1,
      transactions: [transaction],
    }),
  }),
  'bank.balance.updated': defineEvent({
    group,
    description: 'A balance is added or corrected.',
    data: balanceUpdated,
    thin: ['object', 'id', 'company_id', 'connection_id'],
    sample: sampleOf(balanceUpdated, {
      as_of: '2026-03-02',
      balance_cents: 412_500_00,
      currency: 'USD',
      source: 'bank_sync',
      connection_id: 'operating',
      result: 'updated',
      previous_balance_cents: 398_200_00,
      cash_on_hand: [{ currency: 'USD', balance_cents: 512_500_00 }],
    }),
  }),
  'bank.approval.required': defineEvent({
    group,
    description: 'A wire needs approval.',
    data: bankApproval,
    thin: ['object', 'id', 'company_id', 'connection_id', 'status'],
    sample: sampleOf(bankApproval, {
      connection_id: 'operating',
      kind: 'wire',
      amount_cents: 2_500_000,
      currency: 'USD',
      beneficiary: { name: 'Example Machines Ltd', bank_name: 'Example Bank', account_last4: '4321', country: 'US' },
      memo: 'Invoice 1042',
      threshold_cents: 1_000_000,
      threshold_currency: 'USD',
      required_approvals: 1,
      reviews: [],
      status: 'pending',
      requested_by: sampleApprovalActor,
      expires_at: '2026-03-05T09:30:00.000Z',
    }),
  }),
  'partner.sync_completed': defineEvent({
    group,
    description: 'A sync with a bank finishes.',
    data: syncRun,
    thin: ['object', 'id', 'company_id', 'connection_id', 'status', 'stats'],
    sample: sampleOf(syncRun, {
      connection_id: sampleId('conn'),
      provider: 'sandbox',
      trigger: 'manual',
      status: 'succeeded',
      finished_at: '2026-03-02T09:30:04.000Z',
      duration_ms: 4_000,
      stats: {
        balances_upserted: 8,
        transactions_received: 31,
        transactions_inserted: 12,
        transactions_skipped: 19,
        snapshots_upserted: 0,
      },
      updated_at: '2026-03-02T09:30:04.000Z',
    }),
  }),
  'financial.snapshot.updated': defineEvent({
    group,
    description: 'A statement is created or replaced.',
    data: snapshotUpdated,
    thin: ['object', 'id', 'company_id', 'revision'],
    sample: sampleOf(snapshotUpdated, {
      statement_type: 'income',
      period_start: '2026-02-01',
      period_end: '2026-02-28',
      period_complete: true,
      currency: 'USD',
      totals: { revenue: 90_000_00, net_income: 12_000_00 },
      line_items: [
        { key: 'revenue', label: 'Revenue', amount_cents: 90_000_00, is_total: false, indent: 0 },
        { key: 'net_income', label: 'Net income', amount_cents: 12_000_00, is_total: true, indent: 0 },
      ],
      derived: { gross_margin_percent: null, revenue_change_percent: 12.5 },
      source: 'accounting_export',
      revision: 1,
      result: 'created',
      checks: [
        {
          id: 'K5',
          name: 'Totals equal their line items',
          status: 'pass',
          expected_cents: 12_000_00,
          actual_cents: 12_000_00,
          difference_cents: 0,
          tolerance_cents: 1,
          message: 'Each total agrees with its line.',
        },
      ],
    }),
  }),
};

/** Endpoints receive them only if `events` lists them or `operational` is true. */
export const operationalTreasuryEvents = {
  'bank.transaction.updated': defineEvent({
    group: 'Operational',
    description:
      'Stored transactions changed: a sender sent them again to update them, or a person classified, categorized, voided or restored them. A change of the flow rules is no event: `category` is the one by the rules as of the event. To follow them in sums, subtract each row as it was, with the values of `previous` in place, and add it as it is now; ignore each of the two versions whose own `voided_at` is set. So a row that was voided is only subtracted, and one that was restored is only added.',
    data: transactionUpdate,
    thin: ['object', 'company_id', 'cause', 'count'],
    thinIds: { transaction_ids: idsIn('transactions', id('txn')) },
    sample: sampleOf(transactionUpdate, {
      cause: 'resent',
      count: 1,
      transactions: [
        {
          ...transaction,
          amount_cents: -131_20,
          updated_at: '2026-03-03T09:30:00.000Z',
          changed: ['amount_cents'],
          previous: { amount_cents: -125_00 },
        },
      ],
    }),
  }),
};
