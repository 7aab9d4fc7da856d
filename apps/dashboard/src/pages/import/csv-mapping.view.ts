import { type CsvAnswers, type CsvMapping, type CsvPreview, csvFields, type Question } from '@finhook/bank-files';

export type Columns = CsvMapping['columns'];
export type ColumnField = keyof Columns;

/** Fields of a row, with their labels. The first are always visible. */
export const mainColumns: ReadonlyArray<readonly [field: ColumnField, label: string]> = [
  ['date', 'Date'],
  ['amount', 'Amount'],
  ['debit', 'Money out'],
  ['credit', 'Money in'],
  ['description', 'Description'],
  ['counterparty', 'Vendor'],
];
export const moreColumns: ReadonlyArray<readonly [field: ColumnField, label: string]> = [
  ['direction', 'Debit or credit'],
  ['category', 'Category'],
  ['external_id', 'Transaction ID'],
  ['currency', 'Currency'],
  ['balance', 'Balance after the row'],
  ['account', 'Account number'],
  ['status', 'Booked or pending'],
  ['fee', 'Fee beside the amount'],
];

export function columnNames(headers: readonly string[]): Array<readonly [value: string, label: string]> {
  const counts = new Map<string, number>();
  for (const name of headers) counts.set(name, (counts.get(name) ?? 0) + 1);
  return headers.map((name, i) => {
    if (name !== '' && counts.get(name) === 1) return [name, name];
    return [String(i + 1), name === '' ? `Column ${i + 1}` : `Column ${i + 1}, ${name}`];
  });
}

export function columnOf(columns: Columns, field: ColumnField): string {
  return [columns[field] ?? ''].flat()[0] ?? '';
}

export function withColumn(chosen: Partial<Columns>, field: ColumnField, name: string): Partial<Columns> {
  const columns = { ...chosen, [field]: name };
  if (name === '') return columns;
  if (field === 'amount') return { ...columns, debit: '', credit: '' };
  return field === 'debit' || field === 'credit' ? { ...columns, amount: '' } : columns;
}

export function questionsOf(
  open: readonly Question[],
): Partial<Record<ColumnField | 'date_format' | 'decimal', string>> {
  const fields = [...mainColumns, ...moreColumns].map(([field]) => field);
  const questions: ReturnType<typeof questionsOf> = {};
  for (const { code, about, message } of open) {
    const field = code === 'column' ? fields.find((each) => each === about) : undefined;
    const control = code === 'date_format' || code === 'decimal' || code === 'currency' ? code : field;
    if (control !== undefined) questions[control] = message;
  }
  return questions;
}

export function headerText(name: string, columns: Columns): string {
  const field = [...mainColumns, ...moreColumns].find(([id]) => name !== '' && [columns[id]].flat().includes(name));
  return field ? `${name} → ${field[1]}` : name;
}

const STORED = 'csv-mappings';
const KEPT = 20;

type Saved = Array<readonly [headers: string, mapping: CsvMapping]>;
type MappingStorage = Pick<Storage, 'getItem' | 'setItem'>;

function asSaved(value: unknown[]): Saved {
  return value as Saved;
}

function readSaved(storage: MappingStorage): Saved {
  try {
    const saved: unknown = JSON.parse(storage.getItem(STORED) ?? '[]');
    return Array.isArray(saved) ? asSaved(saved) : [];
  } catch {
    return [];
  }
}

export function savedMapping(
  storage: MappingStorage,
  { headers }: Pick<CsvPreview, 'headers'>,
): CsvMapping | undefined {
  const key = JSON.stringify(headers);
  return readSaved(storage).find(([saved]) => saved === key)?.[1];
}

/** The part of a mapping that applies to the next file: without the header row and the currency in column names. */
export function keptMapping(
  { header_record: _row, currency: _code, ...used }: CsvMapping,
  chosen: CsvAnswers,
): CsvMapping {
  const { header_record, currency } = chosen;
  return {
    ...used,
    columns: { ...noColumns(), ...used.columns },
    ...(header_record === undefined ? {} : { header_record }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** A field without a column must not be guessed when the mapping is used again. */
function noColumns(): Columns {
  return { date: '', ...Object.fromEntries(csvFields.map((field) => [field, ''])) };
}

export function saveMapping(
  storage: MappingStorage,
  { headers, mapping }: Pick<CsvPreview, 'headers' | 'mapping'>,
): void {
  const key = JSON.stringify(headers);
  const others = readSaved(storage).filter(([saved]) => saved !== key);
  try {
    storage.setItem(STORED, JSON.stringify([[key, mapping], ...others].slice(0, KEPT)));
  } catch {
    // Storage may be full or forbidden.
  }
}
