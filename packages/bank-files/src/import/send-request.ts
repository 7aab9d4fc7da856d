import { formatMoney } from '@finhook/contracts/currency';
import type { FileBalance, FileTransaction } from '../interpret.ts';
import type { Flow, ImportApi, IngestInput, IngestReply, ServiceWarning } from './api.ts';
import { type Elsewhere, findElsewhere, isProbable } from './find-elsewhere.ts';
import { type PlannedRequest, type PlannedRows, sentBalance, sentRow } from './plan-requests.ts';
import { type KeptRow, keptIds } from './row-ids.ts';

interface LeftRow {
  row: FileTransaction;
  reason: string;
}

export interface RowsOutcome {
  kind: 'transactions';
  rows: number;
  stored: number;
  /** Stored before, including `similar` and `elsewhere`. */
  known: number;
  failed: number;
  /** Rejected rows; in a dry run, the first hundred. */
  rejected: readonly LeftRow[];
  similar: readonly LeftRow[];
  elsewhere: readonly Elsewhere[];
  totals: readonly Flow[];
  warnings: readonly OutcomeWarning[];
  /** Sending the request would store something, or list more rejected rows. */
  isOpen: boolean;
}

interface BalanceOutcome {
  kind: 'balance';
  balance: FileBalance;
  result: 'created' | 'updated' | 'unchanged' | 'rejected' | 'left-out';
  reason?: string;
  warnings: readonly OutcomeWarning[];
  isOpen: boolean;
}

interface OutcomeWarning {
  code: string;
  message: string;
  line?: number | undefined;
  file?: string | undefined;
  changed?: { connection: string; currency: string };
}

export type Outcome = RowsOutcome | BalanceOutcome;

export interface SendOptions {
  api: ImportApi;
  companyId: string;
  /** Undefined in a dry run. */
  key: string | undefined;
  keepSimilar: boolean;
  checked: Outcome | undefined;
}

export async function sendRequest(request: PlannedRequest, options: SendOptions): Promise<Outcome> {
  return request.kind === 'balance' ? sendBalance(request.balance, options) : sendRows(request, options);
}

async function sendRows(request: PlannedRows, options: SendOptions): Promise<RowsOutcome> {
  const { rows, reused } = request;
  const { keepSimilar, checked } = options;
  const elsewhere =
    checked?.kind === 'transactions'
      ? checked.elsewhere
      : await findElsewhere(request, (each) => ingest(each, { ...options, key: undefined }));
  const left = elsewhere.filter((one) => !one.isProbable || !keepSimilar);
  const skipped = new Set(left.map(({ index }) => index));
  const sent = rows.filter((_, i) => !skipped.has(i));
  const leftSimilar = left.flatMap((one) =>
    one.isProbable
      ? leftRow(rows[one.index], `it is probably ${one.existing_id ?? 'known'} of the connection ${one.connection}`)
      : [],
  );
  const outcome = { kind: 'transactions' as const, rows: rows.length, elsewhere };
  if (sent.length === 0) {
    const nothing = { stored: 0, failed: 0, rejected: [], totals: [], warnings: [], isOpen: false };
    return { ...outcome, ...nothing, similar: leftSimilar, known: rows.length };
  }
  const reply = await ingest(sent, options);
  const similar = reply.skipped_transactions.filter((known) => isProbable(known, sent[known.index], reused));
  const kept = keepSimilar ? keptRows(similar, sent, reply) : [];
  const second = kept.length > 0 ? await ingestById(kept, options) : undefined;
  const keptSent = kept.map(({ row }) => row);
  const replies = [{ reply, of: sent }, ...(second ? [{ reply: second, of: keptSent }] : [])];
  const sum = (name: 'inserted' | 'failed'): number => replies.reduce((total, each) => total + each.reply[name], 0);
  const [stored, failed] = [sum('inserted'), sum('failed')];
  const listed = replies.reduce((total, each) => total + new Set(each.reply.errors.map(({ index }) => index)).size, 0);
  return {
    ...outcome,
    stored,
    failed,
    known: rows.length - stored - failed,
    rejected: replies.flatMap((each) => rejectedRows(each.of, each.reply)),
    similar: [
      ...leftSimilar,
      // Another import may have stored some of them meanwhile.
      ...(second ? similarRows(second.skipped_transactions, keptSent) : similarRows(similar, sent)),
    ],
    // Only a dry run has totals.
    totals: checked?.kind === 'transactions' ? checked.totals : replies.flatMap((each) => each.reply.totals ?? []),
    warnings: replies.flatMap((each) => each.reply.warnings.map((warning) => warningOf(warning, each.of))),
    isOpen: stored > 0 || failed > listed,
  };
}

type KnownRow = IngestReply['skipped_transactions'][number];

function similarRows(known: readonly KnownRow[], rows: readonly FileTransaction[]): LeftRow[] {
  return known.flatMap(({ index, existing_id }) => leftRow(rows[index], `it is probably ${existing_id ?? 'known'}`));
}

function keptRows(
  similar: readonly KnownRow[],
  sent: readonly FileTransaction[],
  { skipped_transactions }: IngestReply,
): KeptRow[] {
  const groupOf = (row: FileTransaction | undefined): string => `${row?.posted_at} ${row?.amount_cents}`;
  const paired = Map.groupBy(skipped_transactions, ({ index }) => groupOf(sent[index]));
  return similar.flatMap(({ index }) => {
    const row = sent[index];
    if (row === undefined) return [];
    return [{ row, paired: (paired.get(groupOf(row)) ?? []).flatMap(({ existing_id }) => existing_id ?? []) }];
  });
}

/** Matches rows by content; with a key, stores the others. */
async function ingest(rows: readonly FileTransaction[], options: SendOptions): Promise<IngestReply> {
  return call({ ...sentTo(options), match: 'content', transactions: rows.map(sentRow) }, options);
}

/** Stores rows with their own ids, without matching by content. */
async function ingestById(kept: readonly KeptRow[], options: SendOptions): Promise<IngestReply> {
  const ids = await keptIds(kept);
  const transactions = kept.map(({ row }, i) => ({ ...sentRow(row), external_id: ids[i] ?? '' }));
  return call({ ...sentTo(options), match: 'id', transactions }, options);
}

function sentTo({ companyId, key }: SendOptions) {
  return { company_id: companyId, on_error: 'skip' as const, ...(key === undefined ? { dry_run: true } : {}) };
}

function call(input: IngestInput, { api, key }: SendOptions): Promise<IngestReply> {
  return api.ingest(input, key === undefined ? undefined : `${key}-${input.match}`);
}

function leftRow(row: FileTransaction | undefined, reason: string): LeftRow[] {
  return row === undefined ? [] : [{ row, reason }];
}

function rejectedRows(rows: readonly FileTransaction[], { errors }: IngestReply): LeftRow[] {
  // A message like "must lie in the past" follows the name of its field, the last part of the pointer.
  return errors.flatMap(({ index, pointer = '', message }) => {
    const field = /[^/\d][^/]*$/.exec(pointer)?.[0];
    return leftRow(rows[index], field === undefined ? message : `${field} ${message}`);
  });
}

function warningOf(
  { code, pointer = '', message, stored_currency }: ServiceWarning,
  rows: ReadonlyArray<Pick<FileTransaction, 'line' | 'file' | 'connection_id'>>,
): OutcomeWarning {
  const [, index] = /^\/transactions\/(\d+)/.exec(pointer) ?? [];
  const row = rows[Number(index ?? (rows.length === 1 ? 0 : -1))];
  const connection = row?.connection_id ?? null;
  const changed =
    stored_currency !== undefined && connection !== null ? { changed: { connection, currency: stored_currency } } : {};
  return { code, message, line: row?.line, file: row?.file, ...changed };
}

/** No permission, a conflict, or an invalid value: only the balance is skipped. */
const REJECTED: ReadonlySet<number> = new Set([403, 409, 422]);

async function sendBalance(balance: FileBalance, { api, companyId, key }: SendOptions): Promise<BalanceOutcome> {
  const input = { company_id: companyId, ...sentBalance(balance) };
  try {
    const reply = await (key === undefined ? api.upsert({ ...input, dry_run: true }) : api.upsert(input, key));
    const { result, previous_balance_cents: previous } = reply;
    const { as_of, balance_cents, currency, line, file } = balance;
    const message = `the balance of ${as_of}, ${formatMoney(balance_cents, currency)}, replaces ${formatMoney(previous ?? 0, currency)}`;
    // A balance of the same amount may still set the account type.
    const replaced =
      result === 'updated' && previous !== balance_cents ? [{ code: 'balance_replaced', message, line, file }] : [];
    const warnings = [...replaced, ...reply.warnings.map((warning) => warningOf(warning, [balance]))];
    return { kind: 'balance', balance, result, warnings, isOpen: result !== 'unchanged' };
  } catch (error) {
    const { message, reason = message, status = 0, isTemporary } = api.explain(error);
    if (isTemporary || !REJECTED.has(status)) throw error;
    return { kind: 'balance', balance, result: 'rejected', reason, warnings: [], isOpen: false };
  }
}
