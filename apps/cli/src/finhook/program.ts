import { Command } from 'commander';
import { addCompletion } from './completion.ts';
import { deliveriesWhyCommand } from './deliveries-why.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { addEventsAction, logsCommand } from './follow.ts';
import { version } from './http-api.ts';
import { ingestCommand } from './ingest.ts';
import { listenCommand } from './listen.ts';
import { loginCommand, logoutCommand, profilesCommand } from './login.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { addOperationCommands } from './operation-commands.ts';
import { replayCommand } from './replay.ts';
import type { Session } from './session.ts';
import { triggerCommand } from './trigger.ts';
import { verifySignatureCommand } from './verify-signature.ts';

const epilogue = `
The key and the address come from finhook login, or from FINHOOK_API_KEY and FINHOOK_URL.

Exit codes: 0 done, 1 the service rejected it or a check failed, 2 wrong usage, 3 the service can't be reached,
130 interrupted.`;

export function createProgram(session: Session): Command {
  const program = new Command('finhook')
    .description('The command line of finhook: every operation of its API, and tools to develop and test webhooks.')
    .version(version)
    .helpCommand(false)
    // Flags belong to the command before them: `events` and `events list` share some.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .addHelpText('after', epilogue);
  program.commandsGroup('Tools:');
  for (const tool of tools) program.addCommand(tool(session));
  addCompletion(program, session);
  program.commandsGroup('Operations of the API:');
  addOperationCommands(program, session);
  addEventsAction(group(program, 'events'), session);
  group(program, 'deliveries').addCommand(deliveriesWhyCommand(session));
  const { print, say } = session.output;
  const withoutBreak = (text: string): string => text.replace(/\n$/, '');
  for (const command of everyCommand(program))
    command
      .exitOverride()
      .showHelpAfterError('(--help lists what there is)')
      .configureOutput({ writeOut: (text) => print(withoutBreak(text)), writeErr: (text) => say(withoutBreak(text)) });
  return program;
}

const tools = [
  loginCommand,
  logoutCommand,
  profilesCommand,
  listenCommand,
  triggerCommand,
  logsCommand,
  ingestCommand,
  replayCommand,
  verifySignatureCommand,
  doctorCommand,
  exportCommand,
  mcpCommand,
  migrateCommand,
];

function group(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (!found) throw new Error(`There is no command ${name}.`);
  return found;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
