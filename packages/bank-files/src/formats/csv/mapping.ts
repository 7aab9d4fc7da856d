import type { Reading } from '../../statement.ts';
import type { DecimalMark } from '../../values.ts';

/** Separators are arbitrary. `MMM` is the name of a month, `EXCEL` the number of days since 1899-12-30. */
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

/** Column names by field; a column without a unique name has its number, from `1`. */
export interface CsvColumns {
  date: string;
  /** Signed; or else `debit` and `credit`. */
  amount?: string;
  debit?: string;
  credit?: string;
  /** Contains debit or credit, for unsigned amounts. */
  direction?: string;
  description?: string | string[];
  counterparty?: string;
  category?: string;
  external_id?: string;
  currency?: string;
  /** After the transaction; the last of each day becomes a balance. */
  balance?: string;
  account?: string;
  status?: string;
  /** A fee charged in addition to the amount. */
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

export const moneyFields = ['amount', 'debit', 'credit'] as const satisfies CsvField[];

export type RowOrder = 'newest-first' | 'oldest-first';
export type WordMeaning = 'in' | 'out' | 'booked' | 'unbooked';

/** A recipe for the CSV files of one bank; JSON, so that it can be saved and reused. */
export interface CsvMapping {
  columns: CsvColumns;
  delimiter?: string;
  /** Number of the record with the headers, from 1 and without empty lines; 0 without headers. */
  header_record?: number;
  date_format?: DateFormat;
  decimal?: DecimalMark;
  /** True if the bank writes money out as positive. */
  inverted?: boolean;
  currency?: string;
  /** Default: decided by dates and balances. */
  order?: RowOrder;
  words?: Record<string, WordMeaning>;
}

/** Answered parts of a mapping; the rest is guessed. An empty column name leaves out the field. */
export type CsvAnswers = Partial<Omit<CsvMapping, 'columns'>> & { columns?: Partial<CsvColumns> };

export interface CsvPreview {
  headers: string[];
  rows: string[][];
  mapping: CsvMapping;
}

export interface CsvReading extends Reading {
  mapping?: CsvMapping;
}
