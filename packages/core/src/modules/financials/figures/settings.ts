import {
  type AccountType,
  type FigureSettings,
  type FlowRule,
  figureSettings,
  type operations,
} from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { storedConnection } from '../../../ids/connection-id.ts';
import { changesBetween, isSameJson, recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { record } from '../../../verbs/record.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { findCompany } from '../../companies/read.ts';
import { cardPaymentLabels, financingLabels, ownTransferLabels } from './category-labels.ts';
import { normalizeCategory, readFigureSettings, type SettingsRow, toRules } from './figure-rules.ts';

type UpdateOp = typeof operations.financials.settings.update;

const store = statement(
  'store_surface_settings',
  `INSERT INTO surface_settings (company_id, account_id, excluded_categories, excluded_inflow_categories,
     excluded_connections, exclude_suspected_transfers, accounts, flow_rules, rules_version,
     distinct_connections, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
   ON CONFLICT (company_id) DO UPDATE
     SET excluded_categories = excluded.excluded_categories,
         excluded_inflow_categories = excluded.excluded_inflow_categories,
         excluded_connections = excluded.excluded_connections,
         exclude_suspected_transfers = excluded.exclude_suspected_transfers, accounts = excluded.accounts,
         flow_rules = excluded.flow_rules, rules_version = excluded.rules_version,
         distinct_connections = excluded.distinct_connections, updated_at = excluded.updated_at`,
);

export const getSettings: Verb<typeof operations.financials.settings.get> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  return toSettings(await readFigureSettings(context.database, context.accountId, company.id));
};

export const updateSettings: Verb<UpdateOp> = async (context, input) => {
  let changesRules = false;
  const settings = await transaction(
    context,
    { records: 'audit', lock: `surface_settings|${input.company_id}` },
    async (tx) => {
      const company = await lockCompany(tx, context, input.company_id);
      const row = await readFigureSettings(tx, context.accountId, company.id);
      const before = toSettings(row);
      const now = context.clock.now().toISOString();
      const next: SettingsRow = { ...row, ...changeOf(input), created_at: row.created_at ?? now, updated_at: now };
      changesRules = !isSameJson(next.flow_rules, row.flow_rules);
      if (changesRules) Object.assign(next, { rules_version: row.rules_version + 1, rules_applied_at: null });
      const after = toSettings(next);
      if (changesBetween(before, after, ['created_at', 'updated_at']).changed.length === 0) return before;
      await tx.query(store, [
        company.id,
        context.accountId,
        next.excluded_categories,
        next.excluded_inflow_categories,
        next.excluded_connections,
        next.exclude_suspected_transfers,
        JSON.stringify(next.accounts),
        JSON.stringify(next.flow_rules),
        next.rules_version,
        JSON.stringify(next.distinct_connections),
        now,
      ]);
      recordChange(tx, context, { action: 'financials.settings.update', resourceId: company.id, before, after });
      return after;
    },
  );
  if (changesRules) context.jobs.startMaintenance('flow-rules');
  return settings;
};

function toSettings(row: SettingsRow): FigureSettings {
  const rules = toRules(row);
  return record(figureSettings, row, {
    excluded_categories: [...rules.transferCategories, ...rules.cardCategories],
    excluded_inflow_categories: [...rules.financingCategories],
    excluded_connections: rules.excludedConnections.map((id) => id || 'none'),
    exclude_suspected_transfers: rules.excludeSuspectedTransfers,
    accounts: Object.entries(row.accounts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, account_type]) => ({ connection_id: id || 'none', account_type })),
    distinct_connections: row.distinct_connections.map((pair) => pair.map((id) => id || 'none')),
    flow_rules: row.flow_rules.map(toRule),
  });
}

function changeOf(input: InputOf<UpdateOp>): Partial<SettingsRow> {
  const { excluded_categories, excluded_inflow_categories, excluded_connections, accounts } = input;
  const { exclude_suspected_transfers, flow_rules, distinct_connections } = input;
  return {
    ...(excluded_categories === undefined
      ? {}
      : { excluded_categories: categoriesOf(excluded_categories, [...ownTransferLabels, ...cardPaymentLabels]) }),
    ...(excluded_inflow_categories === undefined
      ? {}
      : { excluded_inflow_categories: categoriesOf(excluded_inflow_categories, financingLabels) }),
    ...(excluded_connections === undefined
      ? {}
      : { excluded_connections: storedConnections(excluded_connections ?? []) }),
    ...(accounts === undefined ? {} : { accounts: storedAccounts(accounts ?? []) }),
    ...(distinct_connections === undefined ? {} : { distinct_connections: storedPairs(distinct_connections ?? []) }),
    ...(flow_rules === undefined ? {} : { flow_rules: (flow_rules ?? []).map(toRule) }),
    ...(exclude_suspected_transfers === undefined ? {} : { exclude_suspected_transfers }),
  };
}

function toRule(rule: NonNullable<InputOf<UpdateOp>['flow_rules']>[number]): FlowRule {
  const { contains, direction, flow_class, category } = rule;
  return {
    contains,
    ...(direction == null ? {} : { direction }),
    ...(flow_class == null ? {} : { flow_class }),
    ...(category == null ? {} : { category }),
  };
}

/** Null for the default list, even if the caller sends it. */
function categoriesOf(categories: readonly string[] | null, defaults: readonly string[]): string[] | null {
  const names = [...new Set(categories?.map(normalizeCategory))];
  return categories === null || names.join() === defaults.join() ? null : names;
}

function storedConnections(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => storedConnection(id) ?? ''))].sort();
}

function storedPairs(pairs: readonly (readonly string[])[]): string[][] {
  const sorted = pairs.map((pair) => pair.map((id) => storedConnection(id) ?? '').sort());
  return [...new Map(sorted.map((pair) => [pair.join('\n'), pair])).values()];
}

function storedAccounts(accounts: NonNullable<InputOf<UpdateOp>['accounts']>): Record<string, AccountType> {
  return Object.fromEntries(accounts.map((one) => [storedConnection(one.connection_id) ?? '', one.account_type]));
}
