import { AnswerError, quote } from './errors.ts';
import type { CsvAnswers, WordMeaning } from './formats/csv/mapping.ts';
import type { Answers, Question } from './questions.ts';
import { readCurrency } from './values.ts';

/** Adds an answer: one of the question's choices or, if it has none, any text. */
export function answerQuestion(answers: Answers, { code, about = '' }: Question, value: string): Answers {
  switch (code) {
    case 'encoding':
      return { ...answers, encoding: value };
    case 'currency':
      return { ...answers, currency: value };
    case 'account':
    case 'currency_connection':
      return { ...answers, connection: { ...connectionsOf(answers, about), [about]: value } };
    case 'sign':
      return { ...answers, sign: value === 'in' ? 'in' : 'out' };
    case 'totals':
      return { ...answers, accept_totals: value === 'yes' };
    case 'column':
      return withCsv(answers, { columns: { ...answers.csv?.columns, [about]: value } });
    case 'direction':
    case 'status':
      return withCsv(answers, { words: { ...answers.csv?.words, [about]: asMeaning(value) } });
    default:
      return withCsv(answers, asMapping({ [code]: value }));
  }
}

/** An amount in `jpy` would have two decimals. @throws {AnswerError} for an unknown currency */
export function withCurrencyCodes(answers: Answers): Answers {
  const { currency, csv } = answers;
  return {
    ...answers,
    ...(currency === undefined ? {} : { currency: currencyCode(currency) }),
    ...(csv?.currency === undefined ? {} : { csv: { ...csv, currency: currencyCode(csv.currency) } }),
  };
}

function currencyCode(text: string): string {
  const read = readCurrency(text);
  if ('error' in read) throw new AnswerError(`${quote(text)} is not the code of a currency, such as EUR`);
  return read.value;
}

/** The answer for the whole file becomes that of its account, because rows of the currency may be stored there. */
function connectionsOf({ connection = {} }: Answers, about: string): Readonly<Record<string, string>> {
  return typeof connection === 'string' ? { [about.slice(0, about.lastIndexOf('/'))]: connection } : connection;
}

function withCsv(answers: Answers, part: CsvAnswers): Answers {
  return { ...answers, csv: { ...answers.csv, ...part } };
}

function asMeaning(value: string): WordMeaning {
  return value as WordMeaning;
}

/** Codes of other questions are names of fields, and their choices are values of them. */
function asMapping(part: Record<string, string>): CsvAnswers {
  return part;
}
