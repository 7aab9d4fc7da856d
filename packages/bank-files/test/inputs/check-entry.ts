import { readFileSync } from 'node:fs';
import { currencyExponent } from '@finhook/contracts/currency';
import { expect } from 'vitest';
import { type Answers, type BankFile, BankFileError, type Question } from '../../src/index.ts';
import { read } from '../read.ts';

/** The expected values of one input, written by hand from the file. Lists are sets with repetition, by default empty. */
export interface Expected {
  /** Name in `files/`. */
  file: string;
  /** The questions without any answer: `code`, or `code:about` where it matters what they are about. */
  asks?: readonly string[];
  /** The rest of the entry is read with these. */
  answers?: Answers;
  /** `connection | day | amount CUR | description`, and ` / counterparty` if there is one. What is stored: none while a question is open. */
  rows?: readonly string[];
  /** `connection | day | amount CUR`, and ` | type` of a card or loan. */
  balances?: readonly string[];
  /** `code line` */
  problems?: readonly string[];
  /** What the service refuses, although the file has it: `problems` names it, and `rows` and `balances` don't. */
  refused?: { rows?: readonly string[]; balances?: readonly string[]; problems: readonly string[] };
  /** A part of the text with which the whole file is refused. */
  error?: string;
  /** Exit code of the import with the answers. By default 0, or 1 if the whole file is refused. */
  exit?: 1 | 2;
  note?: string;
}

/** Files that are imported one after the other into one company. */
export interface ExpectedSequence {
  files: readonly string[];
  /** Of all files, or one for each; by default none. */
  answers?: Answers | readonly Answers[];
  /** The number of rows that each file stores. */
  perFile: readonly number[];
  note?: string;
}

export function readInput(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(`./files/${file}`, import.meta.url)));
}

/** Compares an input with its expected values, for a company in UTC with the base currency USD on 2026-11-25. */
export async function checkEntry(entry: Expected): Promise<void> {
  const { file, asks = [], answers = {}, rows = [], balances = [], problems = [], error, refused } = entry;
  const bytes = readInput(file);
  const context = { timeZone: 'UTC', today: '2026-11-25', baseCurrency: 'USD' };
  if (error !== undefined) {
    const refusal: unknown = await read(bytes, answers, context).catch((reason: unknown) => reason);
    expect(refusal).toBeInstanceOf(BankFileError);
    expect(refusal).toMatchObject({ reason: expect.stringContaining(error) });
    return;
  }
  const { questions } = await read(bytes, {}, context);
  expect(asksOf(questions, asks)).toEqual(asks.toSorted());
  expect(storedOf(await read(bytes, answers, context))).toEqual({
    rows: [...rows, ...(refused?.rows ?? [])].toSorted(),
    balances: [...balances, ...(refused?.balances ?? [])].toSorted(),
    problems: problems.filter((problem) => !refused?.problems.includes(problem)).toSorted(),
  });
}

/** Each question as the entry writes it: with `about` only if the entry names it. */
function asksOf(questions: readonly Question[], asks: readonly string[]): string[] {
  return questions
    .map(({ code, about }) => (asks.includes(code) ? code : about === undefined ? code : `${code}:${about}`))
    .toSorted();
}

/** Rows, balances and problems as an entry writes them. Nothing is stored while a question is open. */
function storedOf({ accounts, questions, problems }: BankFile) {
  const isOpen = questions.length > 0;
  const stored = isOpen ? [] : accounts;
  return {
    rows: stored
      .flatMap(({ account, transactions }) =>
        transactions.map(({ connection_id, posted_at, amount_cents, currency, description, counterparty }) =>
          [
            connection_id ?? account,
            posted_at.slice(0, 10),
            amountOf(amount_cents, currency),
            counterparty === undefined ? description : `${description} / ${counterparty}`,
          ].join(' | '),
        ),
      )
      .toSorted(),
    balances: stored
      .flatMap(({ account, balances }) =>
        balances.map(({ connection_id, as_of, balance_cents, currency, account_type }) =>
          [connection_id ?? account, as_of, amountOf(balance_cents, currency), account_type ?? []].flat().join(' | '),
        ),
      )
      .toSorted(),
    problems: problems.map(({ code, line }) => `${code} ${line}`).toSorted(),
    ...(isOpen ? { open: questions.map(({ code, about = '' }) => `${code} ${about}`) } : {}),
  };
}

/** `-1234.50 EUR`, `-1000 JPY` */
function amountOf(cents: number, currency: string): string {
  const exponent = currencyExponent(currency);
  const digits = String(Math.abs(cents)).padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  const decimals = exponent === 0 ? '' : `.${digits.slice(at)}`;
  return `${cents < 0 ? '-' : ''}${digits.slice(0, at)}${decimals} ${currency}`;
}
