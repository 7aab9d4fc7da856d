// Risk: a guess that a person has to decide is taken for decided, or a mapping is applied to another bank's file.
import { previewCsv } from '@finhook/bank-files';
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

const preview = (csv: string) => previewCsv(new TextEncoder().encode(csv));

test('every question of a preview has its control', () => {
  const { open } = preview('When,What,Sum\n03/04/2026,Rent,"1,234"\n');
  expect(Object.keys(questionsOf(open)).sort()).toEqual(['amount', 'currency', 'date']);
  const named = preview('Date,Description,Amount\n03/04/2026,Rent,"1,234"\n');
  expect(questionsOf(named.open)).toEqual({
    date_format: 'The dates fit DD/MM/YYYY or MM/DD/YYYY. Choose one.',
    decimal: 'The amounts fit both marks. Choose one.',
    currency: 'The file names no currency. Enter its code.',
  });
  const none = preview('Date,Description,Amount (EUR)\nsoon 1,Rent,1.5\n');
  expect(questionsOf(none.open)).toEqual({ date_format: 'The dates are in none of these formats.' });
  const bytes = new TextEncoder().encode('Date,Amount (EUR)\n2026-01-01,1.5\n');
  const other = previewCsv(bytes, { columns: { date: 'Date', amount: 'Sum' } });
  expect(questionsOf(other.open)).toMatchObject({ mapping: 'There is no column "Sum".' });
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

test('what the file proves and what a person chose is remembered, but no default', () => {
  const whole = preview('Date,Amount\n2026-01-01,5\n').mapping;
  const columns = { date: 'Date', amount: 'Amount' };
  const kept = { columns, delimiter: ',', date_format: 'YYYY-MM-DD' };
  expect(keptMapping({ ...whole, currency: 'USD' }, { currency: 'USD' }, { base: 'USD' })).toEqual(kept);
  const inEuro = { ...whole, currency: 'EUR' };
  expect(keptMapping(inEuro, { currency: 'EUR' }, { base: 'USD' })).toEqual({ ...kept, currency: 'EUR' });
  expect(keptMapping(inEuro, {}, { base: 'EUR', saved: inEuro })).toEqual({ ...kept, currency: 'EUR' });
  const proven = preview('Date,Amount\n2026-01-01,5.50\n').mapping;
  expect(keptMapping(proven, { header_record: 1 }, { base: 'USD' })).toEqual({
    ...kept,
    decimal: '.',
    header_record: 1,
  });
});

test.each(['not JSON', '{}', 'null'])('a broken memory (%s) is no memory', (text) => {
  expect(savedMapping(storage(text), { headers: ['A'] })).toBeUndefined();
});
