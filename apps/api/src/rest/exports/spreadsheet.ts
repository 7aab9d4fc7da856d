import { type BankConnection, type BankTransaction, type Company, connectionName, decimalOf } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import type { TableEntry } from '../../operations/operation-table.ts';
import { encodeCell } from './encode-csv.ts';

/** A file for people: local times, decimal amounts, names of accounts. */
export interface Spreadsheet {
  fileName: string;
  head: string;
  encode: (records: readonly object[]) => string;
}

type Filters = Readonly<Record<string, unknown>>;

/** Spreadsheet programs read a file without this mark in an encoding of their own. */
const UTF8_MARK = '\uFEFF';

/** Reads what the file of a list needs besides its rows. `table` has the operations that read it. */
export async function openSpreadsheet(
  table: readonly TableEntry[],
  filters: Filters,
  context: Context,
): Promise<Spreadsheet> {
  const company_id = String(filters['company_id']);
  const company = asCompany(await verbIn(table, 'companies.get')(context, { company_id }));
  const accounts = await readAccounts(table, context, company_id);
  const timeOf = localTimes(company.timezone);
  const cells = columnsOf(company.timezone, timeOf, accounts);
  return {
    fileName: fileNameOf(company, filters, (ms) => timeOf(new Date(ms).toISOString())[0], context.clock.now()),
    head: `${UTF8_MARK}${cells.map(([title]) => title).join(',')}\r\n`,
    encode: (records) => records.map((row) => `${cells.map(([, cell]) => cell(asRow(row))).join(',')}\r\n`).join(''),
  };
}

type Column = readonly [title: string, cell: (row: BankTransaction) => string];

function columnsOf(timezone: string, timeOf: LocalTimes, accounts: ReadonlyMap<string, string>): readonly Column[] {
  return [
    ['Date', ({ posted_at }) => timeOf(posted_at)[0]],
    [`Time (${timezone})`, ({ posted_at }) => timeOf(posted_at)[1]],
    ['Description', ({ description }) => encodeCell(description)],
    ['Vendor', ({ counterparty }) => encodeCell(counterparty)],
    ['Category', ({ category }) => encodeCell(category)],
    ['Account', ({ connection_id: id }) => encodeCell(id === null ? null : (accounts.get(id) ?? id))],
    // It adds up to the totals of the list, which leave out voided rows.
    ['Amount', (row) => (row.voided_at === null ? amountOf(row) : '')],
    ['Currency', ({ currency }) => currency],
    ['Voided amount', (row) => (row.voided_at === null ? '' : amountOf(row))],
    ['External ID', ({ external_id }) => encodeCell(external_id)],
    ['ID', ({ id }) => id],
  ];
}

function amountOf({ amount_cents, currency }: BankTransaction): string {
  return decimalOf(amount_cents, currency);
}

type LocalTimes = (iso: string) => readonly [day: string, time: string];

function localTimes(timeZone: string): LocalTimes {
  // Sweden writes 2026-03-01 14:05:00.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (iso) => {
    const [day = '', time = ''] = format.format(new Date(iso)).split(' ');
    return [day, time];
  };
}

/** `brightloom-transactions-2026-07-01-2026-09-30.csv`: the company and the days or months of the filters, else today. */
function fileNameOf({ name }: Company, filters: Filters, dayOf: (ms: number) => string, now: Date): string {
  const at = (filter: string): number | undefined => {
    const ms = Date.parse(String(filters[filter]));
    return Number.isNaN(ms) ? undefined : ms;
  };
  const [from, to] = [at('posted_from'), at('posted_to')];
  const months = [filters['month'], filters['month_to']].filter((month) => month !== undefined).map(String);
  const days = [
    ...(from === undefined ? [] : [...(to === undefined ? ['from'] : []), dayOf(from)]),
    // The filter is the time after the last one.
    ...(to === undefined ? [] : [...(from === undefined ? ['until'] : []), dayOf(to - 1)]),
  ];
  const period = months.length > 0 ? months : days.length > 0 ? days : [dayOf(now.getTime())];
  return `${[slugOf(name), 'transactions', ...period].join('-')}.csv`;
}

function slugOf(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 60) || 'company';
}

const PAGE = 200;

async function readAccounts(
  table: readonly TableEntry[],
  context: Context,
  company_id: string,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const read = verbIn(table, 'bank.connections.list');
  for (let after: string | undefined; ; ) {
    const page = asConnections(await read(context, { company_id, limit: PAGE, order: 'asc', after }));
    for (const connection of page.data) names.set(connection.id, connectionName(connection));
    if (!page.has_more || page.next_cursor === null) return names;
    after = page.next_cursor;
  }
}

function verbIn(table: readonly TableEntry[], id: string): TableEntry['verb'] {
  const entry = table.find(({ operation }) => operation.id === id);
  if (entry === undefined) throw new Error(`There is no operation ${id}.`);
  return entry.verb;
}

// The outputs of these operations.
function asCompany(output: unknown): Company {
  return output as Company;
}

function asConnections(output: unknown): { data: BankConnection[]; has_more: boolean; next_cursor: string | null } {
  return output as { data: BankConnection[]; has_more: boolean; next_cursor: string | null };
}

function asRow(record: object): BankTransaction {
  return record as BankTransaction;
}
