import type { Question } from '../questions.ts';
import { type FileProblem, isSkipped } from '../statement.ts';
import { type MissingRow, missingText } from './find-missing.ts';
import type { Outcome, RowsOutcome } from './send-request.ts';

export interface ImportMessage {
  /** A `loss` means that a booked row or balance is not stored. */
  level: 'loss' | 'warning' | 'note';
  /** Code of a problem of the file, or of a warning of the service. */
  code: string;
  file?: string;
  line?: number;
  /** Without a full stop. */
  message: string;
}

export interface ImportReport {
  /** 0: everything is stored; 1: something is not, or totals don't match; 2: a question is open. */
  exit_code: 0 | 1 | 2;
  rows: number;
  /** In a dry run, the new rows. */
  stored: number;
  stored_before: number;
  /** Rows of `stored_before` of which only day and amount match. */
  probably_known: number;
  skipped: number;
  balances_stored: number;
  balances_before: number;
  balances_skipped: number;
  /** New rows of the dry run, in minor units. */
  totals: Array<{ currency: string; in: string; out: string }>;
  questions: Question[];
  messages: ImportMessage[];
}

interface Reported {
  problems: readonly FileProblem[];
  questions: readonly Question[];
}

export function reportOf(
  { problems, questions }: Reported,
  outcomes: readonly Outcome[],
  missing: readonly MissingRow[] = [],
): ImportReport {
  const chunks = outcomes.filter((outcome) => outcome.kind === 'transactions');
  const balances = outcomes.filter((outcome) => outcome.kind === 'balance');
  const sum = (name: 'rows' | 'stored' | 'known' | 'failed'): number =>
    chunks.reduce((total, chunk) => total + chunk[name], 0);
  const count = (...results: (typeof balances)[number]['result'][]): number =>
    balances.filter(({ result }) => results.includes(result)).length;
  const unread = problems.filter(({ code }) => code === 'row' || code === 'account').length;
  const messages = [
    ...problems.map(messageOf),
    ...messagesOf(outcomes),
    ...missing.map((row): ImportMessage => ({ level: 'note', code: 'not_in_file', message: missingText(row) })),
  ];
  const skipped = unread + sum('failed');
  const balances_skipped = count('rejected') + problems.filter(({ code }) => code === 'balance').length;
  const isOpen = questions.some(({ code }) => code !== 'totals');
  const isIncomplete = skipped + balances_skipped > 0 || questions.some(({ code }) => code === 'totals');
  return {
    exit_code: isOpen ? 2 : isIncomplete ? 1 : 0,
    rows: unread + sum('rows'),
    stored: sum('stored'),
    stored_before: sum('known'),
    probably_known: chunks.reduce((total, { similar }) => total + similar.length, 0),
    skipped,
    balances_stored: count('created', 'updated'),
    balances_before: count('unchanged'),
    balances_skipped,
    totals: totalsOf(chunks),
    questions: [...questions],
    messages,
  };
}

function placeOf({ file, line }: { file?: string | undefined; line?: number | undefined }) {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}

function messageOf({ file, line, code, message }: FileProblem): ImportMessage {
  const isNote = code === 'unbooked' || code === 'gap' || code === 'note';
  const level = isSkipped({ code }) ? 'loss' : isNote ? 'note' : 'warning';
  return { level, code, ...placeOf({ file, line }), message };
}

function messagesOf(outcomes: readonly Outcome[]): ImportMessage[] {
  const messages = outcomes.flatMap((outcome): ImportMessage[] => [
    ...(outcome.kind === 'transactions' ? rowMessages(outcome) : []),
    ...(outcome.kind === 'balance' && outcome.result === 'rejected'
      ? [
          {
            level: 'loss' as const,
            code: 'balance',
            ...placeOf(outcome.balance),
            message: `the balance is left out: ${outcome.reason}`,
          },
        ]
      : []),
  ]);
  const leftOut = outcomes.filter((outcome) => outcome.kind === 'balance' && outcome.result === 'left-out').length;
  if (leftOut > 0) {
    const message = `the key may not store balances, so the file's ${leftOut} are left out`;
    messages.push({ level: 'note', code: 'balance', message });
  }
  return [...messages, ...warningsOf(outcomes)];
}

function warningsOf(outcomes: readonly Outcome[]): ImportMessage[] {
  const warnings = outcomes
    .flatMap((outcome) => outcome.warnings)
    .map(
      ({ code, message, ...place }): ImportMessage => ({
        level: 'warning',
        code,
        ...placeOf(place),
        message: message.replace(/\.$/, ''),
      }),
    );
  return [...new Map(warnings.map((one) => [`${one.code} ${one.file} ${one.line} ${one.message}`, one])).values()];
}

function rowMessages({ rejected, similar, elsewhere }: RowsOutcome): ImportMessage[] {
  return [
    ...rejected.map(
      ({ row, reason }): ImportMessage => ({
        level: 'loss',
        code: 'row',
        ...placeOf(row),
        message: `the row is left out: ${reason}`,
      }),
    ),
    ...similar.map(
      ({ row, reason }): ImportMessage => ({
        level: 'warning',
        code: 'probably_known',
        ...placeOf(row),
        message: `the row is not stored: ${reason}, which has its day and amount and another text`,
      }),
    ),
    ...Array.from(
      Map.groupBy(
        elsewhere.filter((one) => !one.isProbable),
        ({ connection }) => connection,
      ),
      ([connection, { length }]): ImportMessage => ({
        level: 'note',
        code: 'other_connection',
        message: `${length === 1 ? '1 row is' : `${length} rows are`} stored under the connection ${connection}, where an earlier version put ${length === 1 ? 'it, and stays' : 'them, and stay'} there`,
      }),
    ),
  ];
}

function totalsOf(chunks: readonly RowsOutcome[]): ImportReport['totals'] {
  const sums = new Map<string, { in: bigint; out: bigint }>();
  for (const flow of chunks.flatMap(({ totals }) => totals)) {
    const before = sums.get(flow.currency) ?? { in: 0n, out: 0n };
    sums.set(flow.currency, {
      in: before.in + BigInt(flow.in_string ?? flow.in_cents ?? 0),
      out: before.out + BigInt(flow.out_string ?? flow.out_cents ?? 0),
    });
  }
  return Array.from(sums, ([currency, each]) => ({ currency, in: String(each.in), out: String(each.out) }));
}
