import { z } from 'zod';
import { bankTransactionRow } from '../records/bank-transaction.ts';
import { balanceResult, cashBalance } from '../records/cash-balance.ts';
import { financialSnapshot, snapshotResult } from '../records/financial-snapshot.ts';
import { currency, id } from '../scalars.ts';
import { defineEvent, notYetEmitted } from './define-event.ts';
import { at, sampleId } from './samples.ts';

const group = 'Treasury and bank';

/** One line of cash per currency inside the balance event. */
const cashLine = z.object({
  currency,
  balance_cents: z.int().nullable().meta({ description: 'null when beyond 2^53−1: read balance_string' }),
  balance_string: z.string().optional(),
});

const balanceUpdated = cashBalance.extend({
  result: balanceResult,
  previous_balance_cents: z.int().optional(),
  cash_on_hand: z.array(cashLine),
});

const transactionBatch = z.object({
  object: z.literal('transaction_batch'),
  ingest_id: id('ing'),
  company_id: id('co'),
  count: z.int(),
  transactions: z.array(bankTransactionRow),
  received: z.int(),
  skipped: z.int(),
});

const snapshotUpdated = financialSnapshot.extend({ result: snapshotResult });

const records = { account_id: sampleId('acct'), company_id: sampleId('co'), created_at: at };

export const treasuryEvents = {
  'bank.connected': notYetEmitted(group, 'A bank provider connection is configured.'),
  'bank.connection.linked': notYetEmitted(group, 'A bank provider connection is configured.'),
  'bank.connection.secret_configured': notYetEmitted(group, "The connection's API token is stored."),
  'bank.connection.disconnected': notYetEmitted(group, 'A connection is removed.'),
  'bank.transaction.posted': defineEvent({
    group,
    description: 'Transactions are ingested (one event per ingest request).',
    data: transactionBatch,
    sample: {
      object: 'transaction_batch',
      ingest_id: sampleId('ing'),
      company_id: sampleId('co'),
      count: 1,
      received: 2,
      skipped: 1,
      transactions: [
        {
          id: sampleId('txn'),
          external_id: 'bank-7781',
          posted_at: '2026-03-01T14:05:00.000Z',
          amount_cents: -125_00,
          currency: 'USD',
          currency_inferred: false,
          description: 'Cloud hosting, February',
          category: 'software',
          counterparty: 'Example Cloud',
          connection_id: 'operating',
          source: 'bank_sync',
          created_at: at,
        },
      ],
    },
  }),
  'bank.balance.updated': defineEvent({
    group,
    description: 'The cash balance snapshot is refreshed.',
    data: balanceUpdated,
    sample: {
      ...records,
      id: sampleId('bal'),
      object: 'cash_balance',
      as_of: '2026-03-02',
      balance_cents: 412_500_00,
      currency: 'USD',
      source: 'bank_sync',
      connection_id: 'operating',
      updated_at: at,
      result: 'updated',
      previous_balance_cents: 398_200_00,
      cash_on_hand: [{ currency: 'USD', balance_cents: 512_500_00 }],
    },
  }),
  'bank.approval.required': notYetEmitted(group, 'A wire crosses an approval threshold.'),
  'partner.sync_completed': notYetEmitted(group, 'A manual provider sync finished.'),
  'financial.snapshot.updated': defineEvent({
    group,
    description: 'A financial snapshot is checkpointed (also after a snapshot post).',
    data: snapshotUpdated,
    sample: {
      ...records,
      id: sampleId('fin'),
      object: 'financial_snapshot',
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
      source: 'accounting_export',
      revision: 1,
      updated_at: at,
      result: 'created',
    },
  }),
};
