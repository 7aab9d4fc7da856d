import type { Reading } from '../../statement.ts';
import type { DecimalMark } from '../../values.ts';

export const dateFormats = ['YYYY-MM-DD', 'YYYYMMDD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD/MM/YY', 'MM/DD/YY'] as const;
export type DateFormat = (typeof dateFormats)[number];

/** Fields of a row, by the name of the column that has it. */
export interface CsvColumns {
  date: string;
  /** The signed amount, or else the two columns `debit` and `credit`. */
  amount?: string;
  debit?: string;
  credit?: string;
  /** The column that says debit or credit, if amounts have no sign. */
  direction?: string;
  description?: string | string[];
  counterparty?: string;
  category?: string;
  /** The bank's own id of the transaction. */
  external_id?: string;
  currency?: string;
  /** The balance after the transaction; the last of each day becomes a balance. */
  balance?: string;
  account?: string;
}

/** How to read the CSV files of one bank: plain JSON, to be saved and used again. */
export interface CsvMapping {
  columns: CsvColumns;
  delimiter?: string;
  /** Number of the record with the headers, from 1: some banks write others before them. Empty lines do not count. */
  header_record?: number;
  date_format?: DateFormat;
  decimal?: DecimalMark;
  /** Set if the bank writes money out as positive. */
  inverted?: boolean;
  /** For files without a column for it. */
  currency?: string;
}

export const csvFields = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'description',
  'counterparty',
  'category',
  'external_id',
  'currency',
  'balance',
  'account',
] as const satisfies ReadonlyArray<keyof CsvColumns>;

/** What is answered of a mapping; the rest is guessed. An empty name of a column leaves out the field. */
export type CsvAnswers = Partial<Omit<CsvMapping, 'columns'>> & { columns?: Partial<CsvColumns> };

/** A file beside its mapping: the names of the columns, the first rows, and how they are read. */
export interface CsvPreview {
  headers: string[];
  rows: string[][];
  mapping: CsvMapping;
}

/** One way to read a CSV file. */
export interface CsvReading extends Reading {
  mapping?: CsvMapping;
}
