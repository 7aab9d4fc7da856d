import type { CsvAnswers } from './formats/csv/mapping.ts';
import type { Choice, ChoiceCode, FileFormat } from './statement.ts';

export interface Answers {
  format?: FileFormat;
  /** Name of a charset, such as `windows-1250`. Default: detected. */
  encoding?: string;
  /** For files without a currency. */
  currency?: string;
  /** Label of the rows' origin. Default: `file:` and the format. */
  source?: string;
  /** One connection, or by `ACCOUNT` or `ACCOUNT/CUR`. Default: the account's number. */
  connection?: string | Readonly<Record<string, string>>;
  csv?: CsvAnswers;
  sign?: 'in' | 'out';
  /** Store the rows although they don't explain the balances, and no balance. */
  accept_totals?: boolean;
  keep_similar?: boolean;
}

export interface ReadingContext {
  /** The company's IANA time zone: a row is posted at noon of its day there. */
  timeZone: string;
  today: string;
  baseCurrency?: string | undefined;
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

/** Nothing may be stored before it is answered. */
export interface Question {
  code: QuestionCode;
  /** The field, column, account or word in question. */
  about?: string;
  /** Ends with a question mark. */
  message: string;
  /** Empty if any text is an answer. */
  choices: readonly Choice[];
  /** A likely answer, which must be confirmed. */
  suggestion?: string;
  /** The flag that answers it, with a placeholder: `--sign in|out`. */
  flag: string;
}

const choiceQuestions: Readonly<Record<ChoiceCode, Pick<Question, 'message' | 'flag'>>> = {
  date_format: { message: 'Which format do the dates have?', flag: '--date-format FORMAT' },
  decimal: { message: 'Which mark separates the decimals?', flag: '--decimal MARK' },
  sign: { message: 'The direction of some amounts is not certain. How are they read?', flag: '--sign in|out' },
  order: { message: 'Which row is the newest, the first or the last?', flag: '--order newest-first|oldest-first' },
};

export function askChoice(code: ChoiceCode, choices: readonly Choice[]): Question {
  return { code, choices, ...choiceQuestions[code] };
}

/** A currency is never guessed, because the decimals depend on it. */
export function askFileCurrency({ baseCurrency }: ReadingContext): Question {
  return {
    code: 'currency',
    message: 'The file names no currency. Which is it?',
    choices: [],
    ...(baseCurrency === undefined ? {} : { suggestion: baseCurrency }),
    flag: '--currency CODE',
  };
}

/** The balances contradict the rows: without the answer nothing is stored. */
export function askTotals(): Question {
  return {
    code: 'totals',
    message: "The rows don't explain the balances of the file. Store the rows, and leave the balances out?",
    choices: [{ value: 'yes', label: 'Store the rows, leave the balance out' }],
    flag: '--accept-totals',
  };
}
