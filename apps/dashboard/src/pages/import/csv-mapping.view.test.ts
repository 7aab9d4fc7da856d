// Risk: a guess that a person has to decide is taken for decided, or a mapping is applied to another bank's file.
import { type Answers, readBankFile } from '@finhook/bank-files';
import { expect, test } from 'vitest';
import {
  columnOf,
  headerText,
  keptMapping,
  questionsOf,
  savedMapping,
  saveMapping,
  withColumn,
} from './csv-mapping.view.ts';

function storage(initial?: string) {
  const items = new Map(initial === undefined ? [] : [['csv-mappings', initial]]);
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
}

async function preview(text: string, csv: Answers['csv'] = {}) {
  const context = { timeZone: 'UTC', today: '2026-11-25' };
  const file = await readBankFile(new TextEncoder().encode(text), { csv }, context);
  return {
    open: file.questions.filter(({ code }) => code !== 'account'),
    mapping: file.csv?.mapping ?? { columns: { date: '' } },
  };
}

test('every question of a file has its control', async () => {
  const { open } = await preview('When,What,Sum\n03/04/2026,Rent,"1,234"\n');
  expect(Object.keys(questionsOf(open)).sort()).toEqual(['amount', 'currency', 'date']);
  const named = await preview('Date,Description,Amount\n03/04/2026,Rent,"1,234"\n');
  expect(Object.keys(questionsOf(named.open)).sort()).toEqual(['currency', 'date_format', 'decimal']);
  const other = await preview('Date,Amount (EUR)\n2026-01-01,1.5\n', { columns: { date: 'Date', amount: 'Sum' } });
  expect(questionsOf(other.open)).toMatchObject({ amount: expect.stringContaining('There is no column "Sum".') });
  expect(questionsOf([{ code: 'mapping', message: 'Use it?', choices: [], flag: '--mapping NAME' }])).toEqual({
    mapping: 'Use it?',
  });
});

test('a column is chosen, shown in its header, and removed', () => {
  const columns = withColumn({ date: 'Day' }, 'amount', 'Sum');
  expect(columns).toEqual({ date: 'Day', amount: 'Sum' });
  expect(headerText('Sum', columns)).toBe('Sum → Amount');
  expect(headerText('Else', columns)).toBe('Else');
  expect(withColumn(columns, 'amount', '')).toEqual({ date: 'Day' });
  expect(withColumn(columns, 'date', '')).toEqual({ date: '', amount: 'Sum' });
  expect(columnOf({ date: 'Day', description: ['Text', 'More'] }, 'description')).toBe('Text');
});

test('a mapping is remembered for the same header only, and the twenty newest are kept', () => {
  const store = storage();
  const mapping = { columns: { date: 'A', amount: 'B' } };
  saveMapping(store, { headers: ['A', 'B'], mapping });
  expect(savedMapping(store, { headers: ['A', 'B'] })).toEqual(mapping);
  expect(savedMapping(store, { headers: ['B', 'A'] })).toBeUndefined();
  for (let i = 0; i < 20; i++) saveMapping(store, { headers: [`${i}`], mapping });
  expect(savedMapping(store, { headers: ['A', 'B'] })).toBeUndefined();
  expect(savedMapping(store, { headers: ['19'] })).toEqual(mapping);
});

test('what the file proves and what a person chose is remembered, but no default', async () => {
  const { mapping: whole } = await preview('Date,Amount\n2026-01-01,5\n', { currency: 'USD' });
  const columns = { date: 'Date', amount: 'Amount' };
  const kept = { columns, delimiter: ',', date_format: 'YYYY-MM-DD' };
  expect(keptMapping({ ...whole, currency: 'USD' }, { currency: 'USD' }, { base: 'USD' })).toEqual(kept);
  const inEuro = { ...whole, currency: 'EUR' };
  expect(keptMapping(inEuro, { currency: 'EUR' }, { base: 'USD' })).toEqual({ ...kept, currency: 'EUR' });
  expect(keptMapping(inEuro, {}, { base: 'EUR', saved: inEuro })).toEqual({ ...kept, currency: 'EUR' });
  const { mapping: proven } = await preview('Date,Amount\n2026-01-01,5.50\n', { currency: 'USD' });
  expect(keptMapping(proven, { header_record: 1 }, { base: 'USD' })).toEqual({
    ...kept,
    decimal: '.',
    header_record: 1,
  });
});

test.each(['not JSON', '{}', 'null'])('a broken memory (%s) is no memory', (text) => {
  expect(savedMapping(storage(text), { headers: ['A'] })).toBeUndefined();
});
