import type { BankFile, FileFormat } from '@finhook/bank-files';
import { Command, Option } from 'commander';
import { writePrivate } from '../private-file.ts';
import { ask, canAsk } from '../terminal.ts';
import { Failure, Refusal, usageFailure } from './failure.ts';
import type { Service } from './http-api.ts';
import { collect } from './listen.ts';
import { plural } from './output.ts';
import type { Outcome } from './send-bank-file.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';

export interface FileFlags {
  format?: FileFormat;
  connection?: string[];
  source?: string;
  currency?: string;
  map?: string[];
  dateFormat?: string;
  decimal?: '.' | ',';
  delimiter?: string;
  headerLine?: number;
  inverted?: boolean;
  mapping?: string;
  /** Seconds. */
  readTimeout?: number;
}

interface IngestFlags extends ServiceFlags, FileFlags {
  companyId?: string;
  timeZone?: string;
  dryRun?: boolean;
  yes?: boolean;
  skipped?: string;
}

export function ingestCommand(session: Session): Command {
  const command = new Command('ingest')
    .summary('store the transactions and balances of a bank file')
    .description(
      'Reads a CSV, OFX, QFX, CAMT.053, MT940 or BAI2 file, shows what it would store, asks, and stores it. Repeating it ' +
        'after an interruption continues, and stores nothing twice. Exit code 1 if rows were skipped.',
    )
    .argument('<file>', 'the file, or - for stdin')
    .argument('[company_id]', 'company (co_…) that the file belongs to')
    .option('--company-id <id>', 'the same as the argument')
    .addOption(
      new Option('--format <format>', 'format of the file, if the guess is wrong').choices([
        'csv',
        'ofx',
        'camt.053',
        'mt940',
        'bai2',
      ]),
    )
    .option('--connection <id>', 'connection of all rows, or ACCOUNT=ID for one account (repeat it)', collect)
    .option('--source <label>', 'label of the rows (default: file: and the format)')
    .option('--currency <code>', 'currency of a file that names none')
    .option('--time-zone <zone>', "IANA time zone of the file's days (default: that of the company)")
    .option('--dry-run', 'show what would be stored, and end')
    .option('--yes', 'store without asking')
    .option('--read-timeout <seconds>', 'end if a step of reading the file takes longer (default: 60)', Number)
    .option('--skipped <file>', 'CSV file for the rows that were not stored (default: <file>.skipped.csv)')
    .optionsGroup('CSV:')
    .option('--map <field=column>', 'take a field from a column (repeat it); field= takes it from none', collect)
    .option('--date-format <format>', 'YYYY-MM-DD, YYYYMMDD, DD/MM/YYYY, MM/DD/YYYY, DD/MM/YY or MM/DD/YY')
    .addOption(new Option('--decimal <mark>', 'decimal mark of the amounts').choices(['.', ',']))
    .option('--delimiter <character>', 'character between the columns')
    .option(
      '--header-line <number>',
      'number of the row with the names of the columns, from 1; empty lines do not count',
      Number,
    )
    .option('--inverted', 'money out is written as positive')
    .option('--mapping <name>', 'use the mapping that is saved under this name, and save how this file is read')
    .optionsGroup('Service:');
  addServiceFlags(command);
  return command.action((file: string, company: string | undefined) => ingest(file, company, command.opts(), session));
}

async function ingest(path: string, argument: string | undefined, flags: IngestFlags, session: Session): Promise<void> {
  const { output } = session;
  const companyId = argument ?? flags.companyId;
  if (companyId === undefined) throw usageFailure('Missing: <company_id>. finhook companies list shows the ids.');
  // Loads the parsers.
  const { readBytes } = await import('./bank-file-reading.ts');
  const bytes = await readBytes(path, session);
  if (!flags.yes && !flags.dryRun && (path === '-' || !canAsk()))
    throw usageFailure('There is no terminal to ask on: give --yes, or --dry-run to store nothing.');
  const { service } = connect(session, flags);
  const company = await readCompany(service, companyId);
  const timeZone = readTimeZone(flags.timeZone ?? company?.timezone);
  const [{ readBankFile }, { FileSender }, { countsOf, dryRunLines }] = await Promise.all([
    import('./read-bank-file.ts'),
    import('./send-bank-file.ts'),
    import('./ingest-summary.ts'),
  ]);
  const file = await readBankFile(bytes, flags, timeZone, session);
  const sender = new FileSender(service, companyId, session);
  const planned = await sender.dryRun(file);
  for (const line of dryRunLines(file, planned)) output.say(line);
  const isNew = planned.some(({ isOpen }) => isOpen);
  if (isNew && !flags.dryRun && !flags.yes) await confirm(`Store this for ${company?.name ?? companyId}?`, session);
  const outcomes = flags.dryRun ? planned : await sender.store(planned);
  const counts = countsOf(file, outcomes);
  const isReported = counts.skipped > 0 && !flags.dryRun;
  const skipped_file = isReported ? (flags.skipped ?? `${path === '-' ? 'stdin' : path}.skipped.csv`) : null;
  const result = {
    company_id: companyId,
    format: file.format,
    dry_run: flags.dryRun ?? false,
    ...counts,
    skipped_file,
  };
  if (flags.json) output.printJson(JSON.stringify(result));
  else output.show(result);
  if (skipped_file !== null) await writeSkipped(skipped_file, file, outcomes);
  if (counts.skipped === 0) return;
  throw new Failure(
    skipped_file === null
      ? `${plural(counts.skipped, 'row')} would be skipped.`
      : `${plural(counts.skipped, 'row')} skipped, listed in ${skipped_file}.`,
  );
}

interface Company {
  name: string;
  timezone: string;
}

/** Undefined if the key can't read it: keys of scope `ingest` read nothing. */
async function readCompany(service: Service, company_id: string): Promise<Company | undefined> {
  try {
    return (await service.call<Company>('companies.get', { company_id })).body;
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return undefined;
    throw error;
  }
}

function readTimeZone(timeZone: string | undefined): string {
  if (timeZone === undefined)
    throw usageFailure("The key can't read the company's time zone: give it with --time-zone, such as Europe/Berlin.");
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    throw usageFailure(`--time-zone ${timeZone} is not an IANA time zone, such as Europe/Berlin.`);
  }
}

async function confirm(question: string, { signal }: Session): Promise<void> {
  const answer = await ask(`${question} [y/N]`, signal);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('Nothing was stored.');
}

async function writeSkipped(path: string, file: BankFile, outcomes: readonly Outcome[]): Promise<void> {
  const { skippedRowsCsv } = await import('@finhook/bank-files');
  const rejected = outcomes.flatMap((outcome) => outcome.rejected);
  try {
    writePrivate(path, skippedRowsCsv(file, rejected));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      `The rows that were skipped can't be listed: ${reason}. Repeat the command with --skipped <file>.`,
    );
  }
}
