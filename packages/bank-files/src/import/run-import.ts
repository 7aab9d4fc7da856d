import type { Question } from '../questions.ts';
import type { ImportApi, ImportFault } from './api.ts';
import { FileRows, type MissingRow } from './find-missing.ts';
import type { PlannedRequest } from './plan-requests.ts';
import { type Outcome, sendRequest } from './send-request.ts';

export interface ReadFile {
  questions: readonly Question[];
  requests: number;
}

export interface ImportRun {
  /** Part of the idempotency keys, so that a later import gets no stored response of an earlier one. */
  id: string;
  companyId: string;
  api: ImportApi;
  request: (index: number) => Promise<PlannedRequest>;
  keepSimilar: boolean;
  /** The key has no permission to post balances. */
  withoutBalances: boolean;
  onProgress: (done: number, total: number) => void;
  /** Called on a retry, and with undefined when a call succeeds again. */
  onRetry?: (fault: ImportFault | undefined) => void;
  wait: (ms: number) => Promise<void>;
  signal: AbortSignal;
}

export interface Checked<F extends ReadFile> {
  file: F;
  outcomes: readonly Outcome[];
  missing: readonly MissingRow[];
}

/** Maximum of readings: the service may report other connections with another currency each time. */
const MAX_READINGS = 4;

/** Sends the file as a dry run. If connections have other currencies, it reads the file again with them. */
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

/** A file without new rows was imported before in this reading. */
async function findMissing(run: ImportRun, rows: FileRows, outcomes: readonly Outcome[]): Promise<MissingRow[]> {
  const { list } = run.api;
  const isNew = outcomes.some((outcome) => outcome.kind === 'transactions' && outcome.stored > 0);
  return list === undefined || !isNew ? [] : withRetries(run, () => rows.findMissing(run.companyId, list));
}

export interface Progress {
  count: number;
  /** Undefined for the dry run itself. */
  checked: readonly Outcome[] | undefined;
  /** A failed run continues after these. */
  outcomes: Outcome[];
}

/** Stores the new rows. After a permanent error it can be called again with the same progress. */
export async function continueImport(run: ImportRun, progress: Progress): Promise<readonly Outcome[]> {
  const { outcomes, count, checked } = progress;
  const { signal } = run;
  while (outcomes.length < count) {
    signal.throwIfAborted();
    const index = outcomes.length;
    const before = checked?.[index];
    // An upsert without changes would emit an event.
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
/** A longer outage ends the import, which can be continued. */
const MAX_OUTAGE_MS = 120_000;

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
      if (!fault.isTemporary || waited >= MAX_OUTAGE_MS) throw error;
      if (tries === 0) onRetry?.(fault);
      const ms = Math.max(fault.waitMs ?? 0, Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries));
      waited += ms;
      await wait(ms);
      signal.throwIfAborted();
    }
  }
}
