import type { Answers, BankFile } from '../src/index.ts';
import { read } from './read.ts';

const given: Answers = { currency: 'EUR', connection: 'giro' };
export const readCsv = (lines: readonly string[], answers: Answers = {}) =>
  read(`${lines.join('\n')}\n`, { ...given, ...answers });
export const asksOf = ({ questions }: BankFile) =>
  questions.map(({ code, about }) => (about ? `${code} ${about}` : code));
export const centsOf = ({ accounts }: BankFile) =>
  accounts.flatMap(({ transactions }) => transactions.map(({ amount_cents }) => amount_cents));
export const daysOf = ({ accounts }: BankFile) =>
  accounts.flatMap(({ transactions }) => transactions.map(({ posted_at }) => posted_at.slice(0, 10)));
export const textsOf = ({ accounts }: BankFile) =>
  accounts.flatMap(({ transactions }) => transactions.map(({ description }) => description));
export const problemsOf = ({ problems }: BankFile) => problems.map(({ code, line }) => `${code} ${line}`);
