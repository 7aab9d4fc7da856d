import type { Actor, BankConnection, ConnectionStatus, SyncError, SyncOutcome } from '@finhook/contracts';
import { toNullableTimestamp, toTimestamp } from '../../kernel/clock.ts';

/** A row of `bank_connection` as PostgreSQL returns it, with the time of its newest balance. */
export interface ConnectionRow {
  id: string;
  account_id: string;
  company_id: string;
  provider: string;
  institution_name: string | null;
  account_name: string | null;
  account_last4: string | null;
  currency: string | null;
  external_ref: string | null;
  config_url: string | null;
  replaces: string | null;
  status: ConnectionStatus;
  /** Encrypted. */
  secret: string | null;
  secret_last4: string | null;
  secret_configured_at: string | null;
  last_synced_at: string | null;
  last_sync_status: SyncOutcome | null;
  error: SyncError | null;
  backfill_status: BankConnection['backfill_status'];
  history_from: string | null;
  transactions_at: string | null;
  balance_at: string | null;
  connected_at: string;
  disconnected_at: string | null;
  disconnected_by: Actor | null;
  created_at: string;
  updated_at: string;
}

/**
 * What a statement selects or returns for a `ConnectionRow` from `bank_connection k`; `now` is SQL for this moment (a
 * timestamptz). A balance that is dated beyond the company's tomorrow waits for its day here, as it does in the figures;
 * IS TRUE keeps the day out of the choice of index.
 */
export const connectionColumns = (now: string): string => `k.*, (
  SELECT b.updated_at FROM cash_balance b WHERE b.company_id = k.company_id AND b.connection_id = k.id
    AND (b.as_of <= (
      SELECT (${now}::timestamptz AT TIME ZONE c.timezone)::date + 1 FROM company c WHERE c.id = k.company_id
    )) IS TRUE
  ORDER BY b.as_of DESC LIMIT 1
) AS balance_at`;

/** The connection as everyone may see it: of its token no more than the last four characters. */
export function toConnection(row: ConnectionRow): BankConnection {
  return {
    id: row.id,
    object: 'bank_connection',
    account_id: row.account_id,
    company_id: row.company_id,
    provider: row.provider,
    institution_name: row.institution_name,
    account_name: row.account_name,
    account_last4: row.account_last4,
    currency: row.currency,
    external_ref: row.external_ref,
    config: row.config_url === null ? null : { url: row.config_url },
    replaces: row.replaces,
    status: row.status,
    has_secret: row.secret !== null,
    secret_last4: row.secret_last4,
    secret_configured_at: toNullableTimestamp(row.secret_configured_at),
    last_synced_at: toNullableTimestamp(row.last_synced_at),
    last_sync_status: row.last_sync_status,
    error: row.error,
    freshness: {
      balance: toNullableTimestamp(row.balance_at),
      transactions: toNullableTimestamp(row.transactions_at),
      statements: null,
    },
    backfill_status: row.backfill_status,
    history_from: row.history_from,
    connected_at: toTimestamp(row.connected_at),
    disconnected_at: toNullableTimestamp(row.disconnected_at),
    disconnected_by: row.disconnected_by,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}

/** What a token's ciphertext is bound to (S18). */
export function tokenPlace(connectionId: string): string {
  return `bank_connection|${connectionId}`;
}
