import {
  type AccountKind,
  AnswerError,
  type Answers,
  BankFileError,
  type CsvPreview,
  type FileAccount,
  type FileFormat,
  type FileProblem,
  type FileTransaction,
  type PlannedRequest,
  planRequests,
  type Question,
  type ReadingContext,
  readBankFile,
} from '@finhook/bank-files';
import { localOf } from '../../lib/zoned-time.ts';

export interface ReadOptions {
  answers: Answers;
  context: ReadingContext;
}

export interface AccountSummary {
  account: string;
  currency: string;
  kind: AccountKind | null;
  /** Null if the file names no account, and nobody a connection. */
  connection_id: string | null;
  rows: number;
  balances: number;
  period: readonly [from: string, to: string] | undefined;
}

export interface FileSummary {
  format: FileFormat;
  encoding: string;
  csv: CsvPreview | undefined;
  questions: readonly Question[];
  accounts: readonly AccountSummary[];
  sample: readonly FileTransaction[];
  problems: readonly FileProblem[];
  requests: number;
  error: string | undefined;
}

/** Every call has the file, because a new worker has not read it. */
interface Call {
  file: Blob;
  options: ReadOptions;
}

export type BankFileReader = ReturnType<typeof createBankFileReader>;

const SAMPLE = 5;

/** Reads one file, which may take seconds, so it runs in a worker. Rows stay here until they are sent. */
export function createBankFileReader() {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  let planned: { options: string; requests: readonly PlannedRequest[] } | undefined;

  async function plan({ file: blob, options }: Call) {
    bytes ??= new Uint8Array(await blob.arrayBuffer());
    const file = await readBankFile(bytes, options.answers, options.context);
    const requests = file.questions.length > 0 ? [] : planRequests(file);
    planned = { options: JSON.stringify(options), requests };
    return { file, requests };
  }

  async function read(call: Call): Promise<FileSummary> {
    planned = undefined;
    try {
      const { file, requests } = await plan(call);
      const { accounts, csv, hash: _hash, ...rest } = file;
      return {
        ...rest,
        csv: csv ?? undefined,
        accounts: accounts.map((account) => summaryOf(account, call.options.context.timeZone)),
        sample: accounts.flatMap(({ transactions }) => transactions.slice(0, SAMPLE)).slice(0, SAMPLE),
        requests: requests.length,
        error: undefined,
      };
    } catch (error) {
      if (!(error instanceof BankFileError) && !(error instanceof AnswerError)) throw error;
      const empty = { csv: undefined, questions: [], accounts: [], sample: [], problems: [], requests: 0 };
      return { format: 'csv', encoding: '', ...empty, error: error.message };
    }
  }

  async function request({ index, ...call }: Call & { index: number }): Promise<PlannedRequest> {
    const { requests } = planned?.options === JSON.stringify(call.options) ? planned : await plan(call);
    const found = requests[index];
    if (!found) throw new Error(`The file has no request ${index}.`);
    return found;
  }

  return { read, request };
}

function summaryOf({ transactions, balances, ...account }: FileAccount, zone: string): AccountSummary {
  const posted = transactions.map(({ posted_at }) => posted_at).sort();
  const ends = posted.length === 0 ? [] : [posted[0], posted.at(-1)].map((at) => localOf(at ?? '', zone).slice(0, 10));
  const days = [...ends, ...balances.map(({ as_of }) => as_of)].sort();
  const [from, to] = [days[0], days.at(-1)];
  const period = from === undefined || to === undefined ? undefined : ([from, to] as const);
  return { ...account, rows: transactions.length, balances: balances.length, period };
}
