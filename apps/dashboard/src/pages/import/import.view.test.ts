// Risk: an answer can't be changed, a question is hidden, or the page says that rows are stored that are not.
import { type ImportReport, type Question, reportOf } from '@finhook/bank-files';
import { expect, test } from 'vitest';
import {
  answersOf,
  balanceWords,
  canCheck,
  connectionEntries,
  importLabel,
  listedQuestions,
  messageText,
  rowsAre,
  rowsWere,
  sizeText,
  skippedName,
  withAnswer,
  withoutConnection,
} from './import.view.ts';

const totals: Question = { code: 'totals', message: 'Store it?', choices: [{ value: 'yes', label: 'Yes' }], flag: '' };
const sign: Question = { ...totals, code: 'sign' };
const account: Question = { ...totals, code: 'account', about: '/EUR', choices: [] };
const column: Question = { ...totals, code: 'column', about: 'date' };

test('an answered question stays in the list, and its answer can be changed and removed', () => {
  const given = withAnswer([], totals, 'yes');
  expect(answersOf({ source: 'x' }, given)).toEqual({ source: 'x', accept_totals: true });
  expect(listedQuestions([sign], given, false)).toEqual([
    { question: totals, value: 'yes' },
    { question: sign, value: '' },
  ]);
  expect(withAnswer(given, totals, '')).toEqual([]);
  expect(answersOf({}, withAnswer(withAnswer([], sign, 'in'), sign, 'out'))).toEqual({ sign: 'out' });
});

test('columns and connections have their own controls, and only connections are questions of the check', () => {
  expect(listedQuestions([account, column, sign, sign], [], true)).toEqual([{ question: sign, value: '' }]);
  expect(canCheck([account])).toBe(true);
  expect(canCheck([column])).toBe(false);
});

test("typing an account's connection removes the answer that named it, and no other", () => {
  const ofAccount = (about: string): Question => ({ ...totals, code: 'currency_connection', about });
  const given = [ofAccount('7/EUR'), ofAccount('7/1/EUR'), account, sign].map((question) => ({ question, value: 'x' }));
  const left = (key: string) => withoutConnection(given, key).map(({ question }) => question.about);
  expect(left('7')).toEqual(['7/1/EUR', '/EUR', undefined]);
  expect(left('7/EUR')).toEqual(['7/1/EUR', '/EUR', undefined]);
  expect(left('7/1')).toEqual(['7/EUR', '/EUR', undefined]);
  expect(left('')).toEqual(['7/EUR', '7/1/EUR', undefined]);
  expect(answersOf({ connection: { '7': 'new' } }, withoutConnection(given.slice(0, 1), '7'))).toEqual({
    connection: { '7': 'new' },
  });
});

test('the result of the check names the connection of each account that has rows or balances', () => {
  const one = {
    account: '7',
    currency: 'EUR',
    kind: null,
    connection_id: 'giro',
    rows: 1,
    balances: 0,
    period: undefined,
  };
  const dollars = { ...one, account: '', currency: 'USD', connection_id: null };
  expect(connectionEntries([one, { ...dollars, rows: 0 }])).toEqual([['Account', 'giro']]);
  expect(connectionEntries([one, dollars])).toEqual([
    ['Account for 7 in EUR', 'giro'],
    ['Account for the unnamed account in USD', 'None'],
  ]);
});

const report = (part: Partial<ImportReport>): ImportReport => ({
  ...reportOf({ problems: [], questions: [] }, []),
  ...part,
});

test('the button imports balances if no row is new, and is missing if nothing is', () => {
  expect(importLabel(report({ stored: 4 }))).toBe('Import 4 rows');
  expect(importLabel(report({ stored_before: 4 }))).toBeUndefined();
  const balances = report({ balances_stored: 1, balances_before: 2 });
  expect(importLabel(balances)).toBe('Import 1 balance');
  expect(balanceWords(balances, false)).toBe('1 new balance, 2 balances already stored.');
  expect(balanceWords(balances, true)).toBe('1 balance stored, 2 balances already stored.');
  expect(balanceWords(report({}), true)).toBeUndefined();
});

test('names, sizes and sentences', () => {
  expect(skippedName('2026.04.csv')).toBe('2026.04-skipped.csv');
  expect(sizeText(250)).toBe('0.3 kB');
  expect(sizeText(52_400_000)).toBe('52.4 MB');
  expect([rowsAre(1), rowsAre(2), rowsWere(1), rowsWere(2)]).toEqual([
    '1 row is',
    '2 rows are',
    '1 row was',
    '2 rows were',
  ]);
  expect(messageText({ file: 'a.xml', line: 3, message: 'the row is left out' })).toBe(
    'A.xml, line 3: the row is left out.',
  );
  expect(messageText({ message: 'the row is left out' })).toBe('The row is left out.');
});
