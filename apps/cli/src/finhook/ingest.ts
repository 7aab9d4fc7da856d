import type { FileFormat } from '@finhook/bank-files';
import type { Company } from '@finhook/contracts';
import { Command, Option } from 'commander';
import { Rejected, usageFailure } from './failure.ts';
import type { Service } from './http-api.ts';
import type { FileFlags } from './ingest-answers.ts';
import { collect } from './listen.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';

export interface IngestFlags extends ServiceFlags, FileFlags {
  companyId?: string;
  timeZone?: string;
  dryRun?: boolean;
  yes?: boolean;
  skipped?: string;
}

const formats: readonly FileFormat[] = ['csv', 'ofx', 'camt.053', 'mt940', 'bai2'];

export function ingestCommand(session: Session): Command {
  const command = new Command('ingest')
    .summary('store the transactions and balances of a bank file')
    .description(
      'Reads a CSV, OFX, QFX, CAMT.053, MT940 or BAI2 file, shows what it would store, asks, and stores it. Repeating it ' +
        'after an interruption continues, and stores nothing twice. Exit code 1 if something that the bank booked is not ' +
        'stored or does not add up, 2 if a question is open.',
    )
    .argument('<file>', 'the file, or - for stdin')
    .argument('[company_id]', 'company (co_…) that the file belongs to')
    .option('--company-id <id>', 'the same as the argument')
    .addOption(new Option('--format <format>', 'format of the file, if the guess is wrong').choices(formats))
    .option('--encoding <charset>', 'charset of the file, such as windows-1250')
    .option('--connection <id>', 'connection of the rows, or ACCOUNT=ID or ACCOUNT/CUR=ID (repeat it)', collect)
    .option('--source <label>', 'label of the rows (default: file: and the format)')
    .option('--currency <code>', 'currency of a file that names none')
    .option('--time-zone <zone>', "IANA time zone of the file's days (default: that of the company)")
    .option('--dry-run', 'show what would be stored, and end')
    .option('--yes', 'store without asking')
    .option('--read-timeout <seconds>', 'end if a step of reading the file takes longer (default: 60)', Number)
    .option('--skipped <file>', 'CSV file for the rows that were not stored (default: <file>.skipped.csv)')
    .optionsGroup('What a file leaves open:')
    .addOption(new Option('--sign <direction>', 'what amounts without a sign are').choices(['out', 'in']))
    .option('--accept-totals', "store the rows and no balance, if the rows don't explain it")
    .option('--keep-similar', 'store rows that are probably known: same day and amount, another text')
    .optionsGroup('CSV:')
    .option(
      '--map <field=column>',
      'take a field from a column, by name or number (repeat it); field= has none',
      collect,
    )
    .option('--date-format <format>', 'format of the dates, such as DD/MM/YYYY')
    .addOption(new Option('--decimal <mark>', 'decimal mark of the amounts').choices(['.', ',']))
    .addOption(new Option('--order <order>', 'order of the rows').choices(['newest-first', 'oldest-first']))
    .option('--word <word=meaning>', 'what a word means: in, out, booked or unbooked (repeat it)', collect)
    .option('--delimiter <character>', 'character between the columns')
    .option('--header-line <number>', 'row with the names of the columns, from 1; empty lines do not count', Number)
    .option('--no-header', 'no row has the names of the columns: they are numbers, from 1')
    .option('--inverted', 'money out is written as positive')
    .option('--mapping <name>', 'use the mapping that is saved under this name, and save how this file is read')
    .option('--no-mapping', 'neither use nor offer a saved mapping')
    .optionsGroup('Service:');
  for (const flag of ['dry-run', 'yes', 'accept-totals', 'keep-similar', 'inverted'])
    command.addOption(new Option(`--no-${flag}`).hideHelp());
  addServiceFlags(command);
  return command.action((file: string, company: string | undefined) => ingest(file, company, command.opts(), session));
}

async function ingest(path: string, argument: string | undefined, flags: IngestFlags, session: Session): Promise<void> {
  const companyId = argument ?? flags.companyId;
  if (companyId === undefined) throw usageFailure('Missing: <company_id>. finhook companies list shows the ids.');
  const { readBytes } = await import('./bank-file-reading.ts');
  const bytes = await readBytes(path, session);
  const isAsked = path !== '-' && session.input.isTerminal && !flags.yes;
  if (!flags.yes && !flags.dryRun && !isAsked)
    throw usageFailure('There is no terminal to ask on: give --yes, or --dry-run to store nothing.');
  const { service } = connect(session, flags);
  const company = await readCompany(service, companyId);
  const timeZone = readTimeZone(flags.timeZone ?? company?.timezone);
  const { importFile } = await import('./import-file.ts');
  await importFile({ path, bytes, flags, session, service, isAsked, timeZone, company: { id: companyId, ...company } });
}

/** Undefined without permission, as with keys of scope `ingest`. */
async function readCompany(service: Service, company_id: string): Promise<Company | undefined> {
  try {
    return (await service.call<Company>('companies.get', { company_id })).body;
  } catch (error) {
    if (error instanceof Rejected && error.status === 403) return undefined;
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
