import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AnswerError,
  type BankFile,
  BankFileError,
  type Checked,
  checkImport,
  continueImport,
  type ImportMessage,
  type ImportReport,
  type ImportRun,
  type Outcome,
  type PlannedRequest,
  type Progress,
  planRequests,
  ReadTimeout,
  reportOf,
  skippedRowsCsv,
  UnstorableFile,
} from '@finhook/bank-files';
import { plain } from '../clean-text.ts';
import { writePrivate } from '../private-file.ts';
import { reasonOf } from '../reason-of.ts';
import { ask } from '../terminal.ts';
import { askQuestions, openQuestions } from './ask-questions.ts';
import { withReading } from './bank-file-reading.ts';
import { BankFileSession } from './bank-file-session.ts';
import { exitCodes, Failure, Rejected, Unreachable, usageFailure } from './failure.ts';
import type { Service } from './http-api.ts';
import type { IngestFlags } from './ingest.ts';
import { createImportApi } from './ingest-api.ts';
import { showCheck, showFile, showMessages } from './ingest-output.ts';
import { plural } from './output.ts';
import type { Session } from './session.ts';

interface ImportOptions {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  flags: IngestFlags;
  session: Session;
  service: Service;
  isAsked: boolean;
  timeZone: string;
  company: { id: string; name?: string; base_currency?: string };
}

type ReadFile = BankFile & { requests: number };

export async function importFile(options: ImportOptions): Promise<void> {
  const { flags, session, isAsked, company } = options;
  const { output } = session;
  const { run, plan } = createRun(options);
  const { file, outcomes: checked, missing, notes, saveMapping } = await check(options, run, plan);
  const reportWith = (outcomes: readonly Outcome[]): ImportReport => {
    const { messages, ...report } = reportOf(file, outcomes, missing);
    return { ...report, messages: [...notes, ...messages] };
  };
  const report = reportWith(checked);
  showMessages(report.messages, output);
  if (file.questions.length > 0) return finish(options, file, { report, outcomes: [], isStored: false });
  showCheck(report, output);
  const isNew = checked.some(({ isOpen }) => isOpen);
  if (flags.dryRun) return finish(options, file, { report, outcomes: checked, isStored: false });
  if (isNew && isAsked) await confirm(`Store this for ${company.name ?? company.id}?`, session);
  const progress: Progress = { count: file.requests, checked, outcomes: [] };
  const outcomes = await store(run, plan, progress, session).catch((error: unknown) => {
    printFailure(options, error, { report: reportWith(progress.outcomes), format: file.format });
    throw error;
  });
  saveMapping();
  finish(options, file, { report: reportWith(outcomes), outcomes, isStored: true });
}

interface Plan {
  requests: readonly PlannedRequest[];
  verb: string;
}

function createRun({ flags, session, service, company }: ImportOptions): { run: ImportRun; plan: Plan } {
  const { output, signal } = session;
  const plan: Plan = { requests: [], verb: 'checked' };
  const sizeOf = (request: PlannedRequest): number => (request.kind === 'transactions' ? request.rows.length : 1);
  const rowsIn = (requests: readonly PlannedRequest[]): number =>
    requests.reduce((sum, request) => sum + sizeOf(request), 0);
  const run: ImportRun = {
    id: randomUUID(),
    companyId: company.id,
    api: createImportApi(service),
    request: async (index) => {
      const request = plan.requests[index];
      if (request === undefined) throw new Error(`The file has no request ${index}.`);
      return request;
    },
    keepSimilar: flags.keepSimilar ?? false,
    withoutBalances: false,
    onProgress: (done) => output.progress(plan.verb, rowsIn(plan.requests.slice(0, done)), rowsIn(plan.requests)),
    onRetry: (fault) =>
      output.say(fault === undefined ? 'Connected again.' : `${fault.message}\n  Waiting until it works again.`),
    wait: async (ms) => delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted()),
    signal,
  };
  return { run, plan };
}

interface CheckedFile extends Checked<ReadFile> {
  notes: readonly ImportMessage[];
  saveMapping: () => void;
}

async function check(options: ImportOptions, run: ImportRun, plan: Plan): Promise<CheckedFile> {
  const { path, bytes, flags, session, isAsked, timeZone, company } = options;
  session.output.say(`Reading ${path === '-' ? 'standard input' : path}.`);
  try {
    return await withReading(flags.readTimeout, session, async (reading) => {
      const baseCurrency = company.base_currency;
      const file = new BankFileSession({ reading, bytes, flags, session, timeZone, baseCurrency });
      const notes = await offerMapping(file, await file.open(), options);
      for (;;) {
        let shown = '';
        const checked = await checkImport(run, async (storedCurrencies) => {
          const read = await file.read(storedCurrencies);
          // Reading again with the service's currencies mostly gives the same result.
          if (shown !== JSON.stringify(read.accounts)) showFile(read, timeZone, session.output);
          shown = JSON.stringify(read.accounts);
          plan.requests = read.questions.length > 0 ? [] : planRequests(read);
          return { ...read, requests: plan.requests.length };
        });
        const { questions } = checked.file;
        if (questions.length === 0 || !isAsked)
          return { ...checked, notes, saveMapping: () => file.saveMapping(checked.file) };
        file.answers = await askQuestions(questions, file.answers, session);
      }
    });
  } catch (error) {
    const failure = explainFailure(error);
    printFailure(options, failure, { error });
    throw failure;
  }
}

/** The report of a failed import has the message that a person sees. `error` is the cause. */
function printFailure(
  { flags, session, company }: ImportOptions,
  failure: unknown,
  { error = failure, report, format = null }: { error?: unknown; report?: ImportReport; format?: string | null },
): void {
  if (!flags.json) return;
  const { messages, exit_code: _done, ...counts } = report ?? reportOf({ problems: [], questions: [] }, []);
  const { file, line } = error instanceof BankFileError ? error.place : {};
  const message = reasonOf(error);
  const last: ImportMessage = {
    level: 'loss',
    code: codeOf(failure, error),
    ...(file && { file }),
    ...(line && { line }),
    message,
  };
  const exit_code = failure instanceof Failure ? failure.exitCode : exitCodes.failed;
  const result = { company_id: company.id, format, dry_run: flags.dryRun ?? false, ...counts, skipped_file: null };
  session.output.printJson(JSON.stringify({ ...result, messages: [...messages, last], exit_code }));
}

function codeOf(failure: unknown, error: unknown): string {
  if (failure instanceof Rejected) return failure.problem.code ?? 'refused';
  if (failure instanceof Unreachable) return 'unreachable';
  if (failure instanceof Failure && failure.exitCode === exitCodes.interrupted) return 'interrupted';
  if (error instanceof UnstorableFile) return 'unstorable';
  return failure instanceof Failure ? 'unreadable' : 'failed';
}

function explainFailure(error: unknown): unknown {
  if (error instanceof AnswerError) return usageFailure(`${plain(error.message)}.`);
  if (error instanceof ReadTimeout) {
    const hint = 'Nothing was stored. Split the file, or allow more time with --read-timeout <seconds>.';
    return new Failure(`${error.message}\n  What to do: ${hint}`);
  }
  if (error instanceof UnstorableFile)
    return new Failure(`The file can't be imported. ${plain(error.message)}.\n  Nothing was stored.`);
  if (!(error instanceof BankFileError)) return error;
  const hint = 'Nothing was stored. Export the file from the bank again, or give its --format.';
  return new Failure(`The file can't be read. ${plain(error.message)}\n  What to do: ${hint}`);
}

/** A saved mapping for the same columns needs confirmation: another bank may use them too. */
async function offerMapping(
  file: BankFileSession,
  read: BankFile,
  { session, isAsked }: ImportOptions,
): Promise<ImportMessage[]> {
  const found = file.similarMapping(read);
  if (found === undefined) return [];
  const { name, saved } = found;
  if (!isAsked) {
    const message = `the saved mapping ${name} is for these columns; --mapping ${name} uses it`;
    return [{ level: 'note', code: 'saved_mapping', message }];
  }
  const answer = await ask(`Read the columns as in the saved mapping ${name}? [y/N]`, session.signal);
  if (/^y(es)?$/i.test(answer)) file.useMapping(saved);
  return [];
}

async function store(run: ImportRun, plan: Plan, progress: Progress, { output }: Session): Promise<readonly Outcome[]> {
  plan.verb = 'stored';
  try {
    return await continueImport(run, progress);
  } catch (error) {
    const rows = progress.outcomes.reduce((sum, outcome) => sum + (outcome.kind === 'balance' ? 1 : outcome.stored), 0);
    output.say(`Ended after ${plural(rows, 'row')}. The same command continues, and stores nothing twice.`);
    throw error;
  }
}

async function confirm(question: string, { signal }: Session): Promise<void> {
  const answer = await ask(`${question} [y/N]`, signal);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('Nothing was stored.');
}

function finish(
  { path, flags, session, company }: ImportOptions,
  file: BankFile,
  { report, outcomes, isStored }: { report: ImportReport; outcomes: readonly Outcome[]; isStored: boolean },
): void {
  const { output } = session;
  const { exit_code, messages, questions, ...counts } = report;
  const { totals: _totals, ...shown } = counts;
  const skipped = isStored ? skippedRowsCsv(file.problems, outcomes) : '';
  const skipped_file = skipped === '' ? null : (flags.skipped ?? `${path === '-' ? 'stdin' : path}.skipped.csv`);
  const result = {
    company_id: company.id,
    format: file.format,
    dry_run: flags.dryRun ?? false,
    ...shown,
    skipped_file,
  };
  const isOpen = exit_code === 2;
  if (flags.json)
    output.printJson(JSON.stringify({ ...result, totals: counts.totals, questions, messages, exit_code }));
  else if (!isOpen) output.show(result);
  if (skipped_file !== null) writeSkipped(skipped_file, skipped);
  if (isOpen) throw openQuestions(questions, file.csv);
  if (exit_code === 0) return;
  throw new Failure(failureText(report, skipped_file, isStored), exitCodes.failed);
}

function failureText(
  { skipped, balances_skipped, questions }: ImportReport,
  path: string | null,
  isStored: boolean,
): string {
  if (questions.some(({ code }) => code === 'totals'))
    return "Nothing was stored: the rows don't explain the balances. --accept-totals stores the rows and no balance.";
  const what = [
    ...(skipped > 0 ? [plural(skipped, 'row')] : []),
    ...(balances_skipped > 0 ? [plural(balances_skipped, 'balance')] : []),
  ].join(' and ');
  if (!isStored) return `${what} would be skipped.`;
  return `${what} skipped${path === null ? '' : `, listed in ${path}`}.`;
}

function writeSkipped(path: string, text: string): void {
  try {
    writePrivate(path, text);
  } catch (error) {
    const reason = reasonOf(error);
    throw new Failure(
      `The rows that were skipped can't be listed: ${reason}. Repeat the command with --skipped <file>.`,
    );
  }
}
