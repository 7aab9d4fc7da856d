import { Command } from 'commander';
import { addInputs, readInput } from './fields.ts';
import { commandPath } from './names.ts';
import { plural } from './output.ts';
import { readPages } from './pages.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';
import { isPaged, type TableOperation, table } from './table.ts';

interface OperationFlags extends ServiceFlags {
  all?: boolean;
  idempotencyKey?: string;
}

/** Adds one command per operation, in the tree of their ids. */
export function addOperationCommands(program: Command, session: Session): void {
  for (const each of table.operations) {
    const path = commandPath(each.id);
    const parent = path.slice(0, -1).reduce((command, name, depth) => childOf(command, name, depth, each), program);
    parent.addCommand(operationCommand(each, path.at(-1) ?? '', session));
  }
}

function childOf(parent: Command, name: string, depth: number, { id }: TableOperation): Command {
  const found = parent.commands.find((command) => command.name() === name);
  if (found) return found;
  const group = depth === 0 ? table.groups[id.split('.')[0] ?? ''] : undefined;
  return parent.command(name).description(group ?? `Commands of ${name.replaceAll('-', ' ')}.`);
}

function operationCommand(each: TableOperation, name: string, session: Session): Command {
  const command = new Command(name)
    .summary(each.summary)
    .description(`${each.summary}.\n\n${each.description.replaceAll('`', '')}`);
  addInputs(command, each);
  addServiceFlags(command);
  if (isPaged(each)) command.option('--all', 'read every page; with --json one record per line');
  if (each.permission !== undefined)
    command.option('--idempotency-key <key>', 'repeat an earlier call without doing it twice');
  const emits = each.emits.length === 0 ? '' : `\nEmits: ${each.emits.join(', ')}`;
  return command
    .addHelpText('after', `\n${each.method} /api/v1${each.path}\nScopes: ${each.scopes.join(', ')}${emits}`)
    .action(() => run(each, command, session));
}

async function run(each: TableOperation, command: Command, session: Session): Promise<void> {
  const flags: OperationFlags = command.opts();
  const input = readInput(each, command.args, command.opts(), session.input);
  const { output } = session;
  const { service } = connect(session, flags);
  if (flags.all) {
    await printAll(readPages(service, each, input), flags, session);
    return;
  }
  const { text, body } = await service.call(each, input, { idempotencyKey: flags.idempotencyKey });
  if (flags.json) output.printJson(text === '' ? 'null' : text);
  else if (body === null) output.say('Done.');
  else output.show(body);
  sayNotes(body, flags, output);
}

async function printAll(
  pages: AsyncIterable<{ data: readonly unknown[] }>,
  { json }: OperationFlags,
  { output }: Session,
) {
  let rows = 0;
  const all: unknown[] = [];
  for await (const { data } of pages) {
    rows += data.length;
    if (json) for (const row of data) output.printJson(JSON.stringify(row));
    // The widths of a table depend on all of its rows.
    else all.push(...data);
  }
  if (!json) output.show({ data: all });
  output.say(`${plural(rows, 'row')}.`);
}

function sayNotes(body: unknown, { json }: OperationFlags, { say }: Session['output']): void {
  if (typeof body !== 'object' || body === null) return;
  const { warnings, has_more, data } = asResult(body);
  for (const { message } of warnings ?? []) say(`Warning: ${message}`);
  if (data?.length === 0 && !json) say('Nothing found.');
  if (has_more) say('There are more rows: --all reads them, --after continues.');
}

function asResult(body: object) {
  return body as { warnings?: readonly { message: string }[]; has_more?: boolean; data?: readonly unknown[] };
}
