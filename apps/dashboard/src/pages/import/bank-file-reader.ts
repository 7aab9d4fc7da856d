import {
  AnswerError,
  type Answers,
  type BankFile,
  BankFileError,
  type CsvPreview,
  type FileAccount,
  type FileFormat,
  type FileProblem,
  type FileTransaction,
  type PlannedRequest,
  planRequests,
  type Question,
  readBankFile,
} from '@finhook/bank-files';
import { localOf, todayIn } from '../../lib/zoned-time.ts';

export type ReadOptions = Pick<Answers, 'connection' | 'currency' | 'csv' | 'source'> & { timeZone: string };

export interface AccountSummary {
  account: string;
  currency: string;
  rows: number;
  balances: number;
  /** First and last day of the rows and balances; undefined without any. */
  period: readonly [from: string, to: string] | undefined;
}

/** What a file contains, without its rows. */
export interface FileSummary {
  format: FileFormat;
  /** Only of CSV files. */
  csv: CsvPreview | undefined;
  questions: readonly Question[];
  accounts: readonly AccountSummary[];
  sample: readonly FileTransaction[];
  problems: readonly FileProblem[];
  requests: number;
  /** Why the file could not be read, with line and column. */
  error: string | undefined;
}

/** Every call has the file: a worker that was ended is followed by one that has not read it. */
interface Call {
  file: Blob;
  options: ReadOptions;
}

export type BankFileReader = ReturnType<typeof createBankFileReader>;

const SAMPLE = 5;
const columnQuestions = new Set(['column', 'date_format', 'decimal', 'currency']);

/** Reads one file, which may take seconds, so it runs in a worker. Rows stay here until they are sent. */
export function createBankFileReader() {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  let planned: { options: string; requests: readonly PlannedRequest[] } | undefined;

  const bytesOf = async (file: Blob): Promise<Uint8Array<ArrayBuffer>> =>
    (bytes ??= new Uint8Array(await file.arrayBuffer()));

  async function plan({ file: blob, options: given }: Call): Promise<{
    file: BankFile;
    requests: readonly PlannedRequest[];
  }> {
    const { timeZone, ...answers } = given;
    const context = { timeZone, today: todayIn(timeZone) };
    const content = await bytesOf(blob);
    const first = await readBankFile(content, answers, context);
    // The mapping of a CSV file has its currency; this one would come before the one that the file names.
    const { currency: _currency, ...own } = answers;
    const file = first.format === 'csv' ? await readBankFile(content, own, context) : first;
    const requests = await planRequests(file);
    planned = { options: JSON.stringify(given), requests };
    return { file, requests };
  }

  async function read(call: Call): Promise<FileSummary> {
    const { options } = call;
    planned = undefined;
    const empty = { questions: [], accounts: [], sample: [], problems: [], requests: 0 };
    try {
      const { file, requests } = await plan(call);
      const { format, accounts, problems } = file;
      const questions = file.questions.filter(({ code }) => columnQuestions.has(code));
      const csv = file.csv ?? undefined;
      if (questions.length > 0) return { ...empty, format, csv, questions, error: undefined };
      const sample = accounts.flatMap(({ transactions }) => transactions.slice(0, SAMPLE)).slice(0, SAMPLE);
      return {
        format,
        csv,
        questions,
        accounts: accounts.map((account) => summaryOf(account, options.timeZone)),
        sample,
        problems,
        requests: requests.length,
        error: undefined,
      };
    } catch (error) {
      if (error instanceof BankFileError || error instanceof AnswerError)
        return { ...empty, format: 'csv', csv: undefined, error: error.message };
      throw error;
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

function summaryOf({ account, currency, transactions, balances }: FileAccount, zone: string): AccountSummary {
  const posted = transactions.map(({ posted_at }) => posted_at).sort();
  const ends = posted.length === 0 ? [] : [posted[0], posted.at(-1)].map((at) => localOf(at ?? '', zone).slice(0, 10));
  const days = [...ends, ...balances.map(({ as_of }) => as_of)].sort();
  const [from, to] = [days[0], days.at(-1)];
  const period = from === undefined || to === undefined ? undefined : ([from, to] as const);
  return { account, currency, rows: transactions.length, balances: balances.length, period };
}
