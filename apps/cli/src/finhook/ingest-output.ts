import type { BankFile, CsvPreview, ImportMessage, ImportReport } from '@finhook/bank-files';
import { formatMoney } from '@finhook/contracts/currency';
import { plain } from '../clean-text.ts';
import { linesOf, type Output, plural } from './output.ts';

const FIRST_ROWS = 3;
const MAX_LISTED = 10;
const WIDTH = 120;

export function showFile({ format, encoding, accounts, csv }: BankFile, timeZone: string, output: Output): void {
  const { say } = output;
  if (csv !== null) showColumns(csv, output);
  const listed = accounts.map(({ account, currency, kind, connection_id, transactions, balances }) => {
    const days = transactions.map(({ posted_at }) => posted_at).toSorted();
    return {
      account: account || 'not named',
      kind,
      connection_id: connection_id ?? 'none',
      currency,
      rows: transactions.length,
      first: days[0]?.slice(0, 10),
      last: days.at(-1)?.slice(0, 10),
      balances: balances.length,
    };
  });
  const rows = accounts.flatMap(({ transactions }) => transactions.slice(0, FIRST_ROWS));
  const first = rows.slice(0, FIRST_ROWS).map(({ line, posted_at, amount_cents, currency, ...row }) => ({
    line,
    posted_at,
    amount: formatMoney(amount_cents, currency),
    counterparty: row.counterparty,
    description: row.description,
  }));
  say(`The file is ${format} in ${encoding}. Its days are those of ${timeZone}.`);
  for (const line of linesOf({ data: listed }, WIDTH)) say(`  ${line}`);
  if (first.length > 0) say('First rows:');
  for (const line of linesOf({ data: first }, WIDTH)) say(`  ${line}`);
}

function showColumns({ headers, mapping }: CsvPreview, { say }: Output): void {
  const { columns, delimiter = ',', header_record = 1, date_format = 'unknown', decimal = '.', inverted } = mapping;
  const money = `decimal mark ${decimal}${inverted ? ', money out is positive' : ''}`;
  const hint = inverted || columns.direction ? '' : ', a minus is money out (else --inverted)';
  const notes = { date: date_format, amount: money + hint, debit: money, credit: money };
  const used = Object.entries(columns).flatMap(([field, column]) => {
    const names = [column].flat().filter((name) => name !== '');
    const note: unknown = Reflect.get(notes, field);
    return names.length === 0 ? [] : [{ field, column: names.join(' + '), read_as: note ?? '' }];
  });
  const where = header_record === 0 ? 'no row has their names' : `row ${header_record} has their names`;
  say(`CSV with ${JSON.stringify(delimiter)} between ${headers.length} columns; ${where}:`);
  for (const line of linesOf({ data: used }, 100)) say(`  ${line}`);
  const all = new Set(Object.values(columns).flat());
  const unused = headers.filter((header) => !all.has(header) && header !== '');
  if (unused.length > 0) say(`  Not used: ${plain(unused.join(', '))}`);
}

const leads: Readonly<Record<ImportMessage['level'], string>> = { loss: 'Left out', warning: 'Warning', note: 'Note' };

export function showMessages(messages: readonly ImportMessage[], { say }: Output): void {
  for (const { level, file, line, message } of messages.slice(0, MAX_LISTED)) {
    const place = [file, line === undefined ? undefined : `line ${line}`].filter((part) => part !== undefined);
    say(`${leads[level]}: ${place.map((part) => `${part}: `).join('')}${plain(message)}`);
  }
  if (messages.length > MAX_LISTED) say(`… and ${messages.length - MAX_LISTED} more of these; --json has all.`);
}

export function showCheck(report: ImportReport, { say }: Output): void {
  const { rows, stored, stored_before, skipped, balances_stored, balances_before, totals } = report;
  say(
    `${plural(rows, 'row')}: ${stored} new, ${stored_before} stored before, ${skipped} to skip. ` +
      `${plural(balances_stored + balances_before, 'balance')}: ${balances_stored} new, ${balances_before} stored before.`,
  );
  for (const total of totals)
    say(`  New: ${formatMoney(total.in, total.currency)} in, ${formatMoney(total.out, total.currency)} out`);
}
