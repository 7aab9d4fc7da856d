import { type PlannedRequest, type SkippedRow, skippedRowsOf } from '@finhook/bank-files';
import { explain, problemOf } from '../../lib/problem.ts';
import { mayPass } from '../../lib/query-client.ts';
import type { Input, Output } from '../../lib/trpc.ts';

type Ingest = Output<'bank.transactions.ingest'>;
type Balance = Output<'cash.balances.upsert'>;

/** The calls of an import; those with a key are stored once, however often they are sent. */
export interface ImportApi {
  ingest: (input: Input<'bank.transactions.ingest'>, idempotencyKey?: string) => Promise<Ingest>;
  upsert: (input: Input<'cash.balances.upsert'>, idempotencyKey?: string) => Promise<Balance>;
}

interface Chunk {
  kind: 'transactions';
  inserted: number;
  known: number;
  invalid: number;
  /** The invalid rows; a dry run lists the first 100 errors only. */
  faults: readonly SkippedRow[];
  duplicates: readonly SkippedRow[];
  totals: NonNullable<Ingest['totals']>;
  warnings: readonly string[];
  /** `faults` has every invalid row. */
  isComplete: boolean;
}

/** The result of a request, of a dry run or of the import. */
export type Outcome =
  | Chunk
  | { kind: 'balance'; day: string; result: 'created' | 'updated' | 'unchanged' }
  | { kind: 'balance'; day: string; result: 'rejected'; reason: string }
  | { kind: 'left-out' };

export interface ImportRun {
  /** Part of its idempotency keys: a later import must not get a response that an earlier one stored. */
  id: string;
  companyId: string;
  count: number;
  request: (index: number) => Promise<PlannedRequest>;
  api: ImportApi;
  /** Results of the dry run; without them, this is the dry run. */
  checked?: readonly Outcome[];
  /** The key may not post balances. */
  withoutBalances: boolean;
  /** Results so far: a run that failed goes on where it stopped. */
  outcomes: Outcome[];
  onProgress: () => void;
  wait: (ms: number) => Promise<void>;
  signal: AbortSignal;
}

/** Sends the requests one after another. Rejects with the first error that no retry helps against. */
export async function runImport(run: ImportRun): Promise<readonly Outcome[]> {
  const { outcomes, signal } = run;
  while (outcomes.length < run.count) {
    signal.throwIfAborted();
    const outcome = await withRetries(run, () => sendNext(run));
    signal.throwIfAborted();
    outcomes.push(outcome);
    run.onProgress();
  }
  return outcomes;
}

async function sendNext(run: ImportRun): Promise<Outcome> {
  const index = run.outcomes.length;
  const checked = run.checked?.[index];
  if (checked && !mustSend(checked)) return checked;
  const request = await run.request(index);
  if (request.kind === 'balance') return run.withoutBalances ? { kind: 'left-out' } : sendBalance(run, request);
  const isDry = checked === undefined;
  const { api, companyId } = run;
  const input = { company_id: companyId, on_error: 'skip' as const, ...request.body };
  const result = await (isDry ? api.ingest({ ...input, dry_run: true }) : api.ingest(input, keyOf(run, request)));
  return ingested(request, result);
}

/** Requests that would change nothing are not sent: each would emit an event. */
function mustSend(checked: Outcome): boolean {
  if (checked.kind === 'transactions') return checked.inserted > 0 || !checked.isComplete;
  return checked.kind === 'balance' && (checked.result === 'created' || checked.result === 'updated');
}

function keyOf({ id }: ImportRun, { idempotencyKey }: PlannedRequest): string {
  return `${id}-${idempotencyKey}`;
}

async function sendBalance(run: ImportRun, request: PlannedRequest & { kind: 'balance' }): Promise<Outcome> {
  const day = request.body.as_of;
  const input = { company_id: run.companyId, ...request.body };
  const { upsert } = run.api;
  try {
    const sending = run.checked ? upsert(input, keyOf(run, request)) : upsert({ ...input, dry_run: true });
    return { kind: 'balance', day, result: (await sending).result };
  } catch (error) {
    if (problemOf(error)?.status !== 422) throw error;
    const [fault] = problemOf(error)?.errors ?? [];
    const reason = fault ? `${fault.pointer.slice(1)} ${fault.message}` : explain(error);
    return { kind: 'balance', day, result: 'rejected', reason };
  }
}

function ingested({ rows }: PlannedRequest & { kind: 'transactions' }, result: Ingest): Chunk {
  const { inserted, skipped, failed, errors, totals = [], warnings } = result;
  return {
    kind: 'transactions',
    inserted,
    known: skipped,
    invalid: failed,
    faults: skippedRowsOf(rows, { skipped_transactions: [], errors }),
    duplicates: skippedRowsOf(rows, { ...result, errors: [] }),
    totals,
    warnings: warnings.map(({ pointer, message }) => `${lineOf(rows, pointer)}${message}`),
    isComplete: new Set(errors.map(({ index }) => index)).size === failed,
  };
}

/** The line of a warning's row, from a pointer like `/transactions/12/posted_at`. */
function lineOf(rows: ReadonlyArray<{ line: number }>, pointer: string | undefined): string {
  const row = rows[Number(/^\/transactions\/(\d+)/.exec(pointer ?? '')?.[1] ?? -1)];
  return row ? `Line ${row.line}: ` : '';
}

const RETRY_MS = [1_000, 2_000, 4_000, 8_000];
/** A rate limit is over within a minute. */
const LIMITED_MS = Array.from({ length: 13 }, () => 5_000);

async function withRetries<T>({ wait, signal }: ImportRun, send: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await send();
    } catch (error) {
      const waits = problemOf(error)?.status === 429 ? LIMITED_MS : RETRY_MS;
      const ms = waits[retry];
      if (ms === undefined || signal.aborted || !mayPass(error)) throw error;
      await wait(ms);
    }
  }
}
