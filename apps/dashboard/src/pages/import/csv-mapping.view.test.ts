// Risk: a guess that a person has to decide is taken for decided, or a mapping is applied to another bank's file.
import { type Answers, readBankFile } from '@finhook/bank-files';
import { expect, test } from 'vitest';
import {
  columnNames,
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

test('the questions about columns, dates, decimals and the currency have controls of their own', async () => {
  const { open } = await preview('When,What,Sum\n03/04/2026,Rent,"1,234"\n');
  expect(Object.keys(questionsOf(open)).sort()).toEqual([
    'amount',
    'currency',
    'date',
    'date_format',
    'decimal',
    'description',
  ]);
  const other = await preview('Date,Amount (EUR)\n2026-01-01,1.5\n', { columns: { date: 'Date', amount: 'Sum' } });
  expect(questionsOf(other.open)).toMatchObject({ amount: expect.stringContaining('There is no column "Sum".') });
});

test('a column whose name is empty or repeated is chosen by its number', () => {
  expect(columnNames(['Date', 'Amount', '', 'Amount'])).toEqual([
    ['Date', 'Date'],
    ['2', 'Column 2, Amount'],
    ['3', 'Column 3'],
    ['4', 'Column 4, Amount'],
  ]);
});

test('a column is chosen, shown in its header, and removed', () => {
  const columns = { date: 'Day', ...withColumn({ debit: 'Out' }, 'amount', 'Sum') };
  expect(columns).toEqual({ date: 'Day', amount: 'Sum', debit: '', credit: '' });
  expect(headerText('Sum', columns)).toBe('Sum → Amount');
  expect(headerText('Else', columns)).toBe('Else');
  expect(withColumn({}, 'description', '')).toEqual({ description: '' });
  expect(withColumn({ amount: 'Sum' }, 'credit', 'In')).toEqual({ amount: '', credit: 'In' });
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

test('certain and chosen columns are remembered, and no field is guessed again', async () => {
  const { mapping } = await preview('Date,Amount (EUR)\n2026-01-01,5.50\n');
  expect(keptMapping(mapping, {})).toMatchObject({
    columns: { date: 'Date', amount: 'Amount (EUR)', debit: '', description: '', direction: '' },
    date_format: 'YYYY-MM-DD',
    decimal: '.',
  });
  expect(Object.keys(keptMapping(mapping, {}))).not.toContain('currency');
  expect(keptMapping(mapping, { header_record: 1, currency: 'EUR' })).toMatchObject({
    header_record: 1,
    currency: 'EUR',
  });
});

test.each(['not JSON', '{}', 'null'])('invalid stored mappings (%s) are ignored', (text) => {
  expect(savedMapping(storage(text), { headers: ['A'] })).toBeUndefined();
});
