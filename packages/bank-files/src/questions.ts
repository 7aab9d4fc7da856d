import type { CsvAnswers } from './formats/csv/mapping.ts';
import type { Choice, ChoiceCode, FileFormat } from './statement.ts';

/** What a person, or a flag of a script, says about a file. */
export interface Answers {
  /** Found from the content by default. */
  format?: FileFormat;
  /** Name of the charset, such as `windows-1250`. Found from the content by default. */
  encoding?: string;
  /** The currency of files that name none. */
  currency?: string;
  /** Label of the rows' origin. Default: `file:` and the format. */
  source?: string;
  /**
   * The connection of a file with one account and one currency, or of each by `ACCOUNT` or `ACCOUNT/CUR`. By default the
   * account's number is the label.
   */
  connection?: string | Readonly<Record<string, string>>;
  csv?: CsvAnswers;
  /** The direction of amounts without a sign. */
  sign?: 'in' | 'out';
  /** Store the rows as the bank wrote them, and no balance, although they don't explain the balances. */
  accept_totals?: boolean;
  /** Store rows that are probably known. */
  keep_similar?: boolean;
}

/** What the reader of a file knows beside it. */
export interface ReadingContext {
  /** The company's IANA time zone: a row is posted at noon of the bank's day there. */
  timeZone: string;
  /** Today there, `YYYY-MM-DD`. */
  today: string;
  /** The company's base currency. */
  baseCurrency?: string | undefined;
  /** The currency that the service has under a connection. */
  storedCurrencies?: Readonly<Record<string, string>>;
}

type QuestionCode =
  | ChoiceCode
  | 'column'
  | 'encoding'
  | 'direction'
  | 'status'
  | 'currency'
  | 'account'
  | 'currency_connection'
  | 'totals';

/** Something that the file leaves open. Nothing may be stored before it is answered. */
export interface Question {
  code: QuestionCode;
  /** The field, column, account or word that it is about. */
  about?: string;
  /** A sentence that ends in a question mark. */
  message: string;
  /** The possible answers; empty if any text is one. */
  choices: readonly Choice[];
  /** A likely answer, to be offered first. It must be confirmed. */
  suggestion?: string;
  /** The flag of the command line that answers it, with a placeholder: `--sign in|out`. */
  flag: string;
}

const choiceQuestions: Readonly<Record<ChoiceCode, Pick<Question, 'message' | 'flag'>>> = {
  date_format: { message: 'Which format do the dates have?', flag: '--date-format FORMAT' },
  decimal: { message: 'Which mark separates the decimals?', flag: '--decimal MARK' },
  sign: { message: 'The direction of some amounts is not certain. How are they read?', flag: '--sign in|out' },
  order: { message: 'Which row is the newest, the first or the last?', flag: '--order newest-first|oldest-first' },
};

/** The question between readings that decide a point in different ways. */
export function askChoice(code: ChoiceCode, choices: readonly Choice[]): Question {
  return { code, choices, ...choiceQuestions[code] };
}

/** Asked if the file names no currency: it is not guessed, because the decimals depend on it too. */
export function askFileCurrency({ baseCurrency }: ReadingContext): Question {
  return {
    code: 'currency',
    message: 'The file names no currency. Which is it?',
    choices: [],
    ...(baseCurrency === undefined ? {} : { suggestion: baseCurrency }),
    flag: '--currency CODE',
  };
}

/** Asked if the balances contradict the rows: without the answer nothing is stored. */
export function askTotals(): Question {
  return {
    code: 'totals',
    message: "The rows don't explain the balances of the file. Store the rows, and leave the balances out?",
    choices: [{ value: 'yes', label: 'Store the rows, leave the balance out' }],
    flag: '--accept-totals',
  };
}
