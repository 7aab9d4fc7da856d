import { AnswerError, type Answers, type BankFile, BankFileError, dayIn, ReadTimeout } from '@finhook/bank-files';
import { formatMoney, normalizeCurrency } from '@finhook/contracts/currency';
import { plain } from '../clean-text.ts';
import { withReading } from './bank-file-reading.ts';
import { Failure, usageFailure } from './failure.ts';
import type { FileFlags } from './ingest.ts';
import { mapColumns } from './map-columns.ts';
import { linesOf, type Output } from './output.ts';
import type { Session } from './session.ts';

/** Reads the file by the flags, and shows how it is read. Throws a Failure that says where it can't be, and what to do. */
export async function readBankFile(
  bytes: Uint8Array<ArrayBuffer>,
  flags: FileFlags,
  timeZone: string,
  session: Session,
): Promise<BankFile> {
  const currency = flags.currency === undefined ? undefined : normalizeCurrency(flags.currency);
  if (flags.currency !== undefined && currency === undefined)
    throw usageFailure(`--currency ${flags.currency} is not a currency.`);
  const own = currency === undefined ? {} : { currency };
  const { source, connection: connections } = flags;
  const connection = connections && readConnections(connections);
  try {
    const file = await withReading(flags.readTimeout, session, async (reading) => {
      const context = { timeZone, today: dayIn(timeZone, new Date()) };
      const given: Answers = { ...own, ...(source && { source }), ...(connection && { connection }) };
      if (flags.format) given.format = flags.format;
      const read = async (csv: Answers['csv']) =>
        reading.call('read', { bytes, answers: { ...given, ...(csv && { csv }) }, context });
      const first = await read(undefined);
      if (first.format === 'csv') return read(await mapColumns(read, { ...flags, ...own }, session));
      if (flags.mapping !== undefined || flags.map !== undefined)
        throw usageFailure(`--map and --mapping are for CSV, and the file is read as ${first.format}.`);
      return first;
    });
    show(file, timeZone, session.output);
    return file;
  } catch (error) {
    if (error instanceof ReadTimeout) {
      const hint = 'Nothing was stored. Split the file, or allow more time with --read-timeout <seconds>.';
      throw new Failure(`${error.message}\n  What to do: ${hint}`);
    }
    if (error instanceof AnswerError) throw usageFailure(`${plain(error.message)}.`);
    if (!(error instanceof BankFileError)) throw error;
    const hint = 'Nothing was stored. Export the file from the bank again, or give its --format.';
    throw new Failure(`The file can't be read. ${plain(error.message)}\n  What to do: ${hint}`);
  }
}

/** One connection for all rows, or those of the accounts by number. */
function readConnections(given: readonly string[]): string | Record<string, string> {
  const [first = ''] = given;
  if (given.length === 1 && !first.includes('=')) return first;
  return Object.fromEntries(
    given.map((each): [string, string] => {
      const at = each.lastIndexOf('=');
      if (at < 1) throw usageFailure(`--connection ${each} is not ACCOUNT=ID, which several connections have to be.`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}

const FIRST_ROWS = 3;
const MAX_PROBLEMS = 10;
const WIDTH = 120;

function show({ format, accounts, problems }: BankFile, timeZone: string, { say }: Output): void {
  const rows = accounts.flatMap(({ transactions }) => transactions);
  const listed = accounts.map(({ account, currency, connection_id, transactions, balances }) => {
    const days = transactions.map(({ posted_at }) => posted_at).toSorted();
    return {
      account: account || 'not named',
      connection_id: connection_id ?? 'none',
      currency,
      rows: transactions.length,
      first: days[0]?.slice(0, 10),
      last: days.at(-1)?.slice(0, 10),
      balances: balances.length,
    };
  });
  const first = rows.slice(0, FIRST_ROWS).map(({ line, posted_at, amount_cents, currency, ...row }) => ({
    line,
    posted_at,
    amount: formatMoney(amount_cents, currency),
    counterparty: row.counterparty,
    description: row.description,
  }));
  say(`The file is ${format}. Its days are those of ${timeZone}.`);
  for (const line of linesOf({ data: listed }, WIDTH)) say(`  ${line}`);
  if (first.length > 0) say('First rows:');
  for (const line of linesOf({ data: first }, WIDTH)) say(`  ${line}`);
  for (const { line, column, message, code } of problems.slice(0, MAX_PROBLEMS))
    say(`${code === 'unbooked' ? 'Note' : 'Warning'}: line ${line}, column ${column}: ${plain(message)}`);
  if (problems.length > MAX_PROBLEMS) say(`… and ${problems.length - MAX_PROBLEMS} more of these.`);
}
