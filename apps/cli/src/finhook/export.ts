import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { type Draft, openDraft } from '../private-file.ts';
import { reasonOf } from '../reason-of.ts';
import { Failure } from './failure.ts';
import { addInputs, readInput } from './fields.ts';
import { commandPath } from './names.ts';
import { connect, type ServiceFlags, type Session } from './session.ts';
import { isPaged, type TableOperation, table } from './table.ts';

interface ExportFlags extends ServiceFlags {
  format: string;
  outputFile?: string;
}

/** `finhook export <list>`: every list, without its last word `list`. */
export function exportCommand(session: Session): Command {
  const command = new Command('export')
    .summary('all rows of a list as CSV or NDJSON')
    .description('Writes all rows that match the filters of a list, as CSV or as one JSON record per line.');
  for (const each of table.operations.filter(isPaged)) command.addCommand(listExport(each, session));
  return command;
}

function listExport(each: TableOperation, session: Session): Command {
  const name = commandPath(each.id)
    .join('-')
    .replace(/-list$/, '');
  const command = new Command(name).summary(each.summary).description(`${each.summary}, as a file.`);
  addInputs(command, each);
  command
    .addOption(new Option('--format <format>', 'format of the file').choices(['csv', 'ndjson']).default('csv'))
    .option('--output-file <file>', 'write to this file instead of stdout; an incomplete one is removed')
    .option('--profile <name>', 'use this login instead of the current one');
  return command.action(() => write(each, command, session));
}

async function write(each: TableOperation, command: Command, session: Session): Promise<void> {
  const flags: ExportFlags = command.opts();
  const input = readInput(each, command.args, command.opts(), session.input);
  const { service } = connect(session, flags);
  const { body } = await service.open(each, input, flags.format);
  const { outputFile } = flags;
  let draft: Draft | undefined;
  try {
    const rows = body === null ? Readable.from([]) : Readable.fromWeb(body);
    if (outputFile === undefined) await session.output.writeFile(rows, session.signal);
    else {
      draft = openDraft(outputFile);
      await pipeline(rows, createWriteStream('', { fd: draft.fd }), { signal: session.signal });
      draft.commit();
    }
  } catch (error) {
    draft?.discard();
    session.signal.throwIfAborted();
    throw new Failure(`The export is incomplete: ${reasonOf(error)}`);
  }
  if (outputFile !== undefined) session.output.say(`Written to ${outputFile}.`);
}
