import type { Question } from '../questions.ts';
import type { ImportApi, ImportFault } from './api.ts';
import { FileRows, type MissingRow } from './find-missing.ts';
import type { PlannedRequest } from './plan-requests.ts';
import { type Outcome, sendRequest } from './send-request.ts';

/** A file as it is read, without its rows. */
export interface ReadFile {
  questions: readonly Question[];
  /** Number of requests that store it. */
  requests: number;
}

export interface ImportRun {
  /** Part of its idempotency keys: a later import must not get a response that an earlier one stored. */
  id: string;
  companyId: string;
  api: ImportApi;
  /** The request of an index. */
  request: (index: number) => Promise<PlannedRequest>;
  keepSimilar: boolean;
  /** The key may not post balances. */
  withoutBalances: boolean;
  onProgress: (done: number, total: number) => void;
  /** Called when a call is tried again, and when it worked again (undefined). */
  onRetry?: (fault: ImportFault | undefined) => void;
  wait: (ms: number) => Promise<void>;
  signal: AbortSignal;
}

export interface Checked<F extends ReadFile> {
  file: F;
  /** Empty while a question is open. */
  outcomes: readonly Outcome[];
  /** Rows of earlier imports that the file, which covers their days, does not have. */
  missing: readonly MissingRow[];
}

/** The service may say again that a connection has another currency: each time about others. */
const MAX_READINGS = 4;

/**
 * Reads a file and sends it as a dry run. If connections have another currency than the file, it is read again with what
 * the service has, which may leave a question open.
 */
export async function checkImport<F extends ReadFile>(
  run: ImportRun,
  read: (storedCurrencies: Readonly<Record<string, string>>) => Promise<F>,
): Promise<Checked<F>> {
  let stored: Readonly<Record<string, string>> = {};
  for (let readings = 1; ; readings++) {
    const file = await read(stored);
    if (file.questions.length > 0) return { file, outcomes: [], missing: [] };
    const outcomes: Outcome[] = [];
    const rows = new FileRows();
    const request = async (index: number): Promise<PlannedRequest> => {
      const planned = await run.request(index);
      rows.add(index, planned);
      return planned;
    };
    await continueImport({ ...run, request }, { count: file.requests, checked: undefined, outcomes });
    const found = outcomes.flatMap(({ warnings }) => warnings.flatMap(({ changed }) => changed ?? []));
    const unknown = found.filter(({ connection }) => !Object.hasOwn(stored, connection));
    if (unknown.length === 0 || readings === MAX_READINGS) {
      return { file, outcomes, missing: await findMissing(run, rows, outcomes) };
    }
    const added = unknown.map(({ connection, currency }): [string, string] => [connection, currency]);
    stored = Object.fromEntries([...Object.entries(stored), ...added]);
  }
}

/** A file without new rows was imported as it is read now. */
async function findMissing(run: ImportRun, rows: FileRows, outcomes: readonly Outcome[]): Promise<MissingRow[]> {
  const { list } = run.api;
  const isNew = outcomes.some((outcome) => outcome.kind === 'transactions' && outcome.stored > 0);
  return list === undefined || !isNew ? [] : withRetries(run, () => rows.findMissing(run.companyId, list));
}

export interface Progress {
  count: number;
  /** Outcomes of the dry run; without them, this is the dry run. */
  checked: readonly Outcome[] | undefined;
  /** Outcomes so far: a run that failed continues after them. */
  outcomes: Outcome[];
}

/**
 * Sends the requests one after another, and stores what the dry run found new. Rejects with the first error that no retry
 * helps against; called again with the same progress, it continues there.
 */
export async function continueImport(run: ImportRun, progress: Progress): Promise<readonly Outcome[]> {
  const { outcomes, count, checked } = progress;
  const { signal } = run;
  while (outcomes.length < count) {
    signal.throwIfAborted();
    const index = outcomes.length;
    const before = checked?.[index];
    // A request that would change nothing would emit an event.
    const outcome = before?.isOpen === false ? before : await withRetries(run, () => send(run, index, before));
    signal.throwIfAborted();
    outcomes.push(outcome);
    run.onProgress(outcomes.length, count);
  }
  return outcomes;
}

async function send(run: ImportRun, index: number, checked: Outcome | undefined): Promise<Outcome> {
  const request = await run.request(index);
  if (request.kind === 'balance' && run.withoutBalances) {
    return { kind: 'balance', balance: request.balance, result: 'left-out', warnings: [], isOpen: false };
  }
  const key = checked === undefined ? undefined : `import-${run.id}-${index}`;
  return sendRequest(request, { ...run, key, checked });
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
/** A service that is gone for longer ends the import, which can be continued. */
const PATIENCE_MS = 120_000;

async function withRetries<T>(run: ImportRun, work: () => Promise<T>): Promise<T> {
  const { api, wait, signal, onRetry } = run;
  let waited = 0;
  for (let tries = 0; ; tries++) {
    try {
      const result = await work();
      if (tries > 0) onRetry?.(undefined);
      return result;
    } catch (error) {
      if (signal.aborted) throw error;
      const fault = api.explain(error);
      if (!fault.isTemporary || waited >= PATIENCE_MS) throw error;
      if (tries === 0) onRetry?.(fault);
      const ms = Math.max(fault.waitMs ?? 0, Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries));
      waited += ms;
      await wait(ms);
      signal.throwIfAborted();
    }
  }
}
