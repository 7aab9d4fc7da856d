import { parseBai2 } from './formats/bai2.ts';
import { parseCamt } from './formats/camt.ts';
import { type CsvMapping, parseCsv } from './formats/csv/read-csv.ts';
import { decodeFile, MAX_BYTES } from './formats/decode.ts';
import { externalIds, sha256 } from './external-ids.ts';
import { parseMt940 } from './formats/mt940.ts';
import { parseOfx } from './formats/ofx.ts';
import type { FileAccount, FileFormat, FileProblem, RawAccount, RawFile } from './statement.ts';
import { type Step, uncounted } from './step.ts';
import { createNoon, tidy } from './values.ts';

export interface BankFileOptions {
  /** Found from the content by default. */
  format?: FileFormat;
  /** The connection of all rows, or of each account of the file by its number. By default the number is the label. */
  connection?: string | Readonly<Record<string, string>>;
  /** The company's IANA time zone: a row is posted at noon of the bank's day there. Default: UTC. */
  timeZone?: string;
  /** Label of the rows' origin. Default: `file:` and the format. */
  source?: string;
  csv?: Partial<CsvMapping>;
  /** The currency of files that name none. */
  currency?: string;
  maxBytes?: number;
}

export interface BankFile {
  format: FileFormat;
  /** SHA-256 of the file's bytes, hexadecimal. */
  hash: string;
  accounts: FileAccount[];
  problems: FileProblem[];
}

/** Characters that decide the format; UTF-16 has two bytes for one. */
const SIGNATURE = 4000;

/**
 * Reads a bank file into rows of the ingest endpoints. `problems` has the rows that are left out.
 *
 * @param step receives the work as it is done
 * @throws {BankFileError} for a file that cannot be read as a whole, with line and column
 */
export async function parseBankFile(
  bytes: Uint8Array<ArrayBuffer>,
  options: BankFileOptions = {},
  step: Step = uncounted,
): Promise<BankFile> {
  step(bytes.length);
  const text = decodeFile(bytes, options.maxBytes ?? MAX_BYTES);
  const format = options.format ?? formatOf(text);
  const raw = parseAs(format, text, options, step);
  const noon = createNoon(options.timeZone ?? 'UTC');
  const source = options.source ?? `file:${format}`;
  const accounts = await Promise.all(
    Array.from(raw.accounts.values(), (account) =>
      toAccount(account, raw.problems, { source, noon, connection: options.connection }),
    ),
  );
  const problems = raw.problems.toSorted((a, b) => a.line - b.line);
  return { format, hash: await sha256(bytes), accounts, problems };
}

/** The format by the first bytes: whatever has no other's signature is CSV. */
export function detectFormat(bytes: Uint8Array): FileFormat {
  return formatOf(decodeFile(bytes.subarray(0, 2 * SIGNATURE)));
}

function formatOf(text: string): FileFormat {
  const start = text.slice(0, SIGNATURE);
  if (/<OFX>|OFXHEADER/i.test(start)) return 'ofx';
  if (/^\s*</.test(start)) return 'camt.053';
  // Spaces of one line only: a search from every line over all empty ones after it would take quadratic time.
  if (/^\s*01,[^\n]*,/.test(start) && /^[^\S\r\n\u2028\u2029]*02,/m.test(start)) return 'bai2';
  return /^(?:\{.{0,200}\{4:)?:(?:20|25):/m.test(start) ? 'mt940' : 'csv';
}

function parseAs(format: FileFormat, text: string, { csv, currency }: BankFileOptions, step: Step): RawFile {
  switch (format) {
    case 'csv':
      return parseCsv(text, step, { ...(currency ? { currency } : {}), ...csv });
    case 'ofx':
      return parseOfx(text, step, currency);
    case 'camt.053':
      return parseCamt(text, step);
    case 'mt940':
      return parseMt940(text, step);
    case 'bai2':
      return parseBai2(text, step, currency);
    default:
      throw new Error(`No parser of ${String(format)}.`);
  }
}

interface RowOptions {
  source: string;
  noon: (day: string) => string;
  connection: BankFileOptions['connection'];
}

function connectionOf(account: string, connection: BankFileOptions['connection']): string | null {
  if (typeof connection === 'string') return connection;
  const given = connection && Object.hasOwn(connection, account) ? connection[account] : undefined;
  return given ?? (account || null);
}

async function toAccount(raw: RawAccount, problems: FileProblem[], options: RowOptions): Promise<FileAccount> {
  const { account, currency } = raw;
  const { source, noon, connection } = options;
  const connection_id = connectionOf(account, connection);
  const ids = await externalIds(raw.transactions, problems);
  const transactions = raw.transactions.map((row, i) => ({
    line: row.line,
    external_id: ids[i] ?? '',
    posted_at: noon(row.day),
    amount_cents: row.cents,
    currency: row.currency,
    description: row.description,
    ...(row.counterparty ? { counterparty: tidy(row.counterparty, 255) } : {}),
    ...(row.category ? { category: tidy(row.category, 100) } : {}),
    connection_id,
    source,
  }));
  // Several statements of a day: the last has its end.
  const ends = new Map(raw.balances.map((balance) => [balance.day, balance]));
  const balances = [...ends.values()].map(({ day, cents, currency: code }) => ({
    as_of: day,
    balance_cents: cents,
    currency: code,
    source,
    connection_id,
  }));
  return { account, connection_id, currency, transactions, balances };
}
