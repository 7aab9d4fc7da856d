import {
  type Answers,
  answerQuestion,
  type FileFormat,
  type FileProblem,
  type ImportMessage,
  type ImportReport,
  type Question,
} from '@finhook/bank-files';
import { formatDecimal } from '../../lib/format-number.ts';
import { plural } from '../../lib/text.ts';
import type { AccountSummary } from './bank-file-reader.ts';

export const formatNames: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV',
  ofx: 'OFX',
  'camt.053': 'CAMT.053 (ISO 20022)',
  mt940: 'MT940 (SWIFT)',
  bai2: 'BAI2',
};

export const kindNames = {
  depository: 'Bank account',
  credit_card: 'Credit card: its balance is owed',
  loan: 'Loan or credit line: its balance is owed',
} as const;

export interface Given {
  question: Question;
  value: string;
}

function isSame(a: Question, b: Question): boolean {
  return a.code === b.code && a.about === b.about;
}

export function withAnswer(given: readonly Given[], question: Question, value: string): Given[] {
  const others = given.filter((each) => !isSame(each.question, question));
  return value === '' ? others : [...others, { question, value }];
}

/** The given answers without the connections of an account, or of its currency: `ACCOUNT` or `ACCOUNT/CUR`. */
export function withoutConnection(given: readonly Given[], key: string): Given[] {
  return given.filter(({ question: { code, about = '' } }) => {
    const isConnection = code === 'account' || code === 'currency_connection';
    return !isConnection || (about !== key && about.slice(0, about.lastIndexOf('/')) !== key);
  });
}

export function connectionEntries(accounts: readonly AccountSummary[]): (readonly [name: string, value: string])[] {
  const used = accounts.filter(({ rows, balances }) => rows + balances > 0);
  return used.map(({ account, currency, connection_id }) => [
    used.length === 1 ? 'Account' : `Account for ${account || 'the unnamed account'} in ${currency}`,
    connection_id ?? 'None',
  ]);
}

export function answersOf(answers: Answers, given: readonly Given[]): Answers {
  return given.reduce((all, { question, value }) => answerQuestion(all, question, value), answers);
}

function hasOwnControl({ code }: Question, isCsv: boolean): boolean {
  return code === 'account' || (isCsv && ['column', 'date_format', 'decimal', 'currency'].includes(code));
}

/** Answered questions, so that each can be changed, and then the open ones. */
export function listedQuestions(open: readonly Question[], given: readonly Given[], isCsv: boolean): Given[] {
  const others = open.filter(
    (question, i) =>
      !hasOwnControl(question, isCsv) &&
      !given.some((each) => isSame(each.question, question)) &&
      open.findIndex((each) => isSame(each, question)) === i,
  );
  return [...given, ...others.map((question) => ({ question, value: '' }))];
}

/** Connections are asked with the check, so they may be open. */
export function canCheck(open: readonly Question[]): boolean {
  return open.every(({ code }) => code === 'account');
}

export function balanceWords(
  { balances_stored, balances_before }: ImportReport,
  isStored: boolean,
): string | undefined {
  const parts = [
    balances_stored > 0 &&
      (isStored ? `${plural(balances_stored, 'balance')} stored` : plural(balances_stored, 'new balance')),
    balances_before > 0 && `${plural(balances_before, 'balance')} already stored`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

export function importLabel({ stored, balances_stored }: ImportReport): string | undefined {
  if (stored > 0) return `Import ${plural(stored, 'row')}`;
  return balances_stored > 0 ? `Import ${plural(balances_stored, 'balance')}` : undefined;
}

export function rowsAre(count: number): string {
  return `${plural(count, 'row')} ${count === 1 ? 'is' : 'are'}`;
}

export function rowsWere(count: number): string {
  return `${plural(count, 'row')} ${count === 1 ? 'was' : 'were'}`;
}

export function splitProblems(problems: readonly FileProblem[]) {
  return {
    rows: problems.filter(({ code }) => code === 'row'),
    others: problems.filter(({ code }) => code !== 'row'),
  };
}

export function messageText({ file, line, message }: Pick<ImportMessage, 'file' | 'line' | 'message'>): string {
  const place = [file, line === undefined ? undefined : `line ${line}`].filter((part) => part !== undefined).join(', ');
  const text = `${place === '' ? '' : `${place}: `}${message}.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function skippedName(file: string): string {
  return `${file.replace(/\.[^.]*$/, '')}-skipped.csv`;
}

export function sizeText(bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? (['kB', 1_000] as const) : (['MB', 1_000_000] as const);
  return `${formatDecimal(bytes / size, 1)} ${unit}`;
}
