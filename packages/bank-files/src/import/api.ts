import type { FileBalance, FileTransaction } from '../interpret.ts';

interface Sent {
  company_id: string;
  on_error: 'skip';
  dry_run?: boolean;
}

/** Rows of one ingest request. By `content`, rows are known by day, amount and currency. */
export type IngestInput =
  | (Sent & { match: 'content'; transactions: SentTransaction[] })
  | (Sent & { match: 'id'; transactions: Array<SentTransaction & { external_id: string }> });

export type SentTransaction = Omit<FileTransaction, 'line' | 'file'>;

export type SentBalance = Omit<FileBalance, 'line' | 'file'>;

export interface ServiceWarning {
  code: string;
  pointer?: string | undefined;
  message: string;
  stored_currency?: string | undefined;
}

export interface Flow {
  currency: string;
  in_cents: number | null;
  in_string?: string | undefined;
  out_cents: number | null;
  out_string?: string | undefined;
}

export interface IngestReply {
  inserted: number;
  failed: number;
  skipped_transactions: ReadonlyArray<{
    index: number;
    reason: string;
    existing_id?: string | null | undefined;
    differs: readonly string[];
    /** `amount` if only day and amount match the stored row. */
    matched_by?: string | undefined;
  }>;
  /** In a dry run, the first hundred. */
  errors: ReadonlyArray<{ index: number; pointer?: string | undefined; message: string }>;
  totals?: readonly Flow[] | undefined;
  warnings: readonly ServiceWarning[];
}

export interface BalanceReply {
  result: 'created' | 'updated' | 'unchanged';
  previous_balance_cents?: number | null | undefined;
  warnings: readonly ServiceWarning[];
}

export interface ImportFault {
  message: string;
  /** A retry may help: no response, a limit, or a failure of the service. */
  isTemporary: boolean;
  waitMs?: number | undefined;
  status?: number | undefined;
  reason?: string | undefined;
}

export interface StoredRow {
  id: string;
  posted_at: string;
  amount_cents: number;
  currency: string;
  description: string | null;
  source: string | null;
}

interface ListInput {
  company_id: string;
  connection_id: string;
  posted_from: string;
  posted_to: string;
  limit: number;
  after?: string;
}

/** The calls of an import, idempotent by key. */
export interface ImportApi {
  ingest: (input: IngestInput, idempotencyKey?: string) => Promise<IngestReply>;
  upsert: (
    input: SentBalance & { company_id: string; dry_run?: boolean },
    idempotencyKey?: string,
  ) => Promise<BalanceReply>;
  /** Undefined if the key has no read permission. */
  list?: (input: ListInput) => Promise<{ data: readonly StoredRow[]; has_more: boolean; next_cursor: string | null }>;
  explain: (error: unknown) => ImportFault;
}
