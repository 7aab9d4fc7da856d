import {
  changedDuplicate,
  type DataQuality,
  type FinancialSnapshot,
  type operations,
  type Reconciliation,
  type SuspectedTransfer,
  type Warning,
} from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { accountName } from '../../../ids/connection-id.ts';
import { addDays } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import type { Verb } from '../../../verbs/verb.ts';
import { checkNewest } from '../statements/checks.ts';
import type { BurnView } from './classify-rows.ts';
import { duplicateWarnings, readDuplicates, toCountedTwice } from './counted-twice.ts';
import { largeInflowWarnings } from './large-inflows.ts';
import type { TransferPair } from './pair-transfers.ts';
import { countGraded, recentChangedSql } from './read-arrivals.ts';
import { readBurn, readRunway } from './read-runway.ts';
import { isSilent } from './silent-series.ts';
import { countIssues } from './summary.ts';

const TRANSFER_WINDOW_DAYS = 90;
const SHOWN = 20;

const readChanged = statement(
  'read_changed_duplicates',
  `SELECT transaction_id, external_id, connection_id, differs, times, first_seen_at, last_seen_at
   ${recentChangedSql} ORDER BY last_seen_at DESC LIMIT ${SHOWN}`,
);

export const getDataQuality: Verb<typeof operations.financials.dataQuality> = async (context, input) => {
  const view = await readBurn(context, input.company_id, { seeksRepeated: true });
  const duplicates = await readDuplicates(context, view);
  const { companyId, today, zone, now } = view.cash;
  const { cash, arrivals, reconciliations } = await readRunway(context, view);
  const snapshots = await checkNewest(context, companyId, today);
  const overwritten = await readOverwritten(context, companyId, now);
  const from = addDays(today, -TRANSFER_WINDOW_DAYS);
  const since = zone.instantOf(Date.parse(from));
  const pairs = view.pairs.filter((pair) => Math.max(pair.out.postedAt, pair.in.postedAt) >= since);
  const { issues } = countIssues(snapshots, arrivals, reconciliations, view.repeated);
  return {
    object: 'data_quality',
    company_id: companyId,
    as_of: today,
    issues,
    snapshots,
    freshness: {
      grade: arrivals.freshness.grade,
      stale_streams: countGraded(arrivals.freshness, 'stale'),
      late_streams: countGraded(arrivals.freshness, 'late'),
    },
    reconciliation: reconciliations,
    changed_duplicates: {
      count: arrivals.changedDuplicates,
      latest: await readChangedDuplicates(context, companyId, now),
    },
    suspected_transfers: {
      excluded: view.rules.excludeSuspectedTransfers,
      from,
      count: pairs.length,
      truncated: false,
      latest: toSuspected(pairs),
    },
    replaced: view.replaced,
    counted_twice: toCountedTwice(duplicates),
    warnings: [
      ...duplicateWarnings(duplicates),
      ...cash.warnings,
      ...largeInflowWarnings(view.largeInflows),
      ...accountWarnings(view, reconciliations),
      ...overwritten,
    ],
  };
};

async function readChangedDuplicates(
  context: Context,
  companyId: string,
  now: number,
): Promise<DataQuality['changed_duplicates']['latest']> {
  const values = [companyId, context.accountId, new Date(now).toISOString()];
  const rows = await context.database.query<RowOf<typeof changedDuplicate>>(readChanged, values);
  return rows.map((row) => record(changedDuplicate, row, { connection_id: row.connection_id || null }));
}

function toSuspected(pairs: readonly TransferPair[]): SuspectedTransfer[] {
  return pairs.slice(-SHOWN).map((pair) => ({
    currency: pair.out.currency,
    amount_cents: Number(pair.in.amount),
    out_transaction_id: pair.out.id,
    out_connection_id: pair.out.connectionId || null,
    out_posted_at: new Date(pair.out.postedAt).toISOString(),
    in_transaction_id: pair.in.id,
    in_connection_id: pair.in.connectionId || null,
    in_posted_at: new Date(pair.in.postedAt).toISOString(),
  }));
}

const RECENT_DAYS = 30;
const SHOWN_PERIODS = 20;

const readOverwrittenRows = statement(
  'read_overwritten_periods',
  `SELECT s.id, s.statement_type, s.period_start, s.period_end, o.period_start AS replaced_start
   FROM financial_snapshot s CROSS JOIN LATERAL (
     SELECT r.period_start FROM financial_snapshot_revision r
     WHERE r.snapshot_id = s.id AND r.period_start <> s.period_start
       AND r.recorded_at > $3::timestamptz - interval '${RECENT_DAYS} days'
     ORDER BY r.revision DESC LIMIT 1
   ) o
   WHERE s.company_id = $1 AND s.account_id = $2 AND s.statement_type <> 'balance'
     AND s.updated_at > $3::timestamptz - interval '${RECENT_DAYS} days'
   ORDER BY s.period_end DESC, s.id LIMIT ${SHOWN_PERIODS}`,
);

interface Row {
  id: string;
  statement_type: FinancialSnapshot['statement_type'];
  period_start: string;
  period_end: string;
  replaced_start: string;
}

const names = { income: 'income statement', balance: 'balance sheet', cashflow: 'cash flow statement' } as const;

async function readOverwritten(context: Context, companyId: string, now: number): Promise<Warning[]> {
  const values = [companyId, context.accountId, new Date(now).toISOString()];
  const rows = await context.database.query<Row>(readOverwrittenRows, values);
  return rows.map((row) => ({
    code: 'period_changed',
    message: `The ${names[row.statement_type]} to ${row.period_end} (${row.id}) begins ${row.period_start} and replaced one that began ${row.replaced_start}. A month and the year to date with the same last day replace each other. The revisions keep the replaced one.`,
  }));
}

function accountWarnings(view: BurnView, reconciliations: readonly Reconciliation[]): Warning[] {
  return [...silentWarnings(view), ...typeWarnings(view, reconciliations)];
}

function silentWarnings({ rules, activity, window }: BurnView): Warning[] {
  return activity
    .filter((one) => !rules.uncountedConnections.includes(one.connection_id) && isSilent(one, window))
    .map(({ connection_id }) => ({
      code: 'silent_connection',
      connection_id: connection_id || null,
      message: `The ${accountName(connection_id)} had transactions in each month before, and none in one of the months of burn: is its feed interrupted?`,
    }));
}

function typeWarnings(
  { rules, cardReceivers, replaced }: BurnView,
  reconciliations: readonly Reconciliation[],
): Warning[] {
  const opposite = reconciliations.filter(({ hint }) => hint === 'opposite_signs');
  const ids = new Set([...cardReceivers, ...opposite.map(({ connection_id }) => connection_id ?? '')]);
  const known = new Set([
    ...rules.typedConnections,
    ...rules.cardConnections,
    ...rules.uncountedConnections,
    ...replaced.map(({ connection_id }) => connection_id),
  ]);
  return [...ids]
    .filter((id) => !known.has(id))
    .sort()
    .map((connection_id) => ({
      code: 'account_type_unclear',
      connection_id: connection_id || null,
      message: cardReceivers.has(connection_id)
        ? `The ${accountName(connection_id)} counts as cash, and receives payments of a credit card: is it a card? Set its type in the settings of the company.`
        : `The ${accountName(connection_id)} counts as cash, and its balance moves against its transactions: is it a card or a loan? Set its type in the settings of the company.`,
    }));
}
