import type { Reading } from '../../statement.ts';
import type { DecimalMark } from '../../values.ts';

/**
 * What CSV files write as a date, with any separator and with a time before or after it. `MMM` is the name of a month,
 * `EXCEL` the number of days since 1899-12-30.
 */
export const dateFormats = [
  'YYYY-MM-DD',
  'YYYYMMDD',
  'DDMMYYYY',
  'MMDDYYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD/MM/YY',
  'MM/DD/YY',
  'YY/MM/DD',
  'DD MMM YYYY',
  'MMM DD YYYY',
  'EXCEL',
] as const;
export type DateFormat = (typeof dateFormats)[number];

/**
 * Fields of a row, by the name of the column that has it. A column whose name is empty or repeated, or of a file
 * without names, has its number as its name, from `1`.
 */
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
  /** The column that says which rows are booked: pending and reverted ones are left out. */
  status?: string;
  /** A fee that the bank takes from the account beside the amount. */
  fee?: string;
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
  'status',
  'fee',
] as const satisfies ReadonlyArray<keyof CsvColumns>;
export type CsvField = (typeof csvFields)[number];

/** The fields with the amount of a row. */
export const moneyFields = ['amount', 'debit', 'credit'] as const satisfies CsvField[];

export type RowOrder = 'newest-first' | 'oldest-first';
export type WordMeaning = 'in' | 'out' | 'booked' | 'unbooked';

/** How to read the CSV files of one bank: plain JSON, to be saved and used again. */
export interface CsvMapping {
  columns: CsvColumns;
  delimiter?: string;
  /**
   * Number of the record with the headers, from 1: some banks write others before them. Empty lines do not count. 0: the
   * file has none.
   */
  header_record?: number;
  date_format?: DateFormat;
  decimal?: DecimalMark;
  /** Set if the bank writes money out as positive. */
  inverted?: boolean;
  /** For files without a column for it. */
  currency?: string;
  /** By default the dates and balances decide. */
  order?: RowOrder;
  /** Words of the columns `direction` and `status` that are not known. */
  words?: Record<string, WordMeaning>;
}

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
