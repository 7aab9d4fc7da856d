import { readFileSync } from 'node:fs';
import { currencyExponent } from '@finhook/contracts/currency';
import { expect } from 'vitest';
import { type Answers, type BankFile, BankFileError, type Question } from '../../src/index.ts';
import { read } from '../read.ts';

/** Expected values of one input, written manually from the file. Lists are multisets, empty by default. */
export interface Expected {
  /** Name in `files/`. */
  file: string;
  /** Questions without any answer: `code` or `code:about`. */
  asks?: readonly string[];
  /** For all the other values. */
  answers?: Answers;
  /** Stored rows: `connection | day | amount CUR | description`, and ` / counterparty` if any. */
  rows?: readonly string[];
  /** `connection | day | amount CUR`, and ` | type` of a card or loan. */
  balances?: readonly string[];
  /** `code line` */
  problems?: readonly string[];
  /** Values of the file that the service rejects: `problems` has them, `rows` and `balances` don't. */
  rejected?: { rows?: readonly string[]; balances?: readonly string[]; problems: readonly string[] };
  /** A part of the error that rejects the file. */
  error?: string;
  /** Exit code of the import with the answers. Default: 0, or 1 if the file is rejected. */
  exit?: 1 | 2;
  note?: string;
}

/** Files imported one after the other into one company. */
export interface ExpectedSequence {
  files: readonly string[];
  /** For all files, or for each. */
  answers?: Answers | readonly Answers[];
  /** Number of stored rows. */
  perFile: readonly number[];
  note?: string;
}

export function readInput(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(`./files/${file}`, import.meta.url)));
}

/** Compares an input with its expected values, for a company in UTC with the base currency USD on 2026-11-25. */
export async function checkEntry(entry: Expected): Promise<void> {
  const { file, asks = [], answers = {}, rows = [], balances = [], problems = [], error, rejected } = entry;
  const bytes = readInput(file);
  const context = { timeZone: 'UTC', today: '2026-11-25', baseCurrency: 'USD' };
  if (error !== undefined) {
    const rejection: unknown = await read(bytes, answers, context).catch((reason: unknown) => reason);
    expect(rejection).toBeInstanceOf(BankFileError);
    expect(rejection).toMatchObject({ reason: expect.stringContaining(error) });
    return;
  }
  const { questions } = await read(bytes, {}, context);
  expect(asksOf(questions, asks)).toEqual(asks.toSorted());
  expect(storedOf(await read(bytes, answers, context))).toEqual({
    rows: [...rows, ...(rejected?.rows ?? [])].toSorted(),
    balances: [...balances, ...(rejected?.balances ?? [])].toSorted(),
    problems: problems.filter((problem) => !rejected?.problems.includes(problem)).toSorted(),
  });
}

/** The questions, with `about` only if the entry has it. */
function asksOf(questions: readonly Question[], asks: readonly string[]): string[] {
  return questions
    .map(({ code, about }) => (asks.includes(code) ? code : about === undefined ? code : `${code}:${about}`))
    .toSorted();
}

/** Rows, balances and problems in the format of entries. */
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
