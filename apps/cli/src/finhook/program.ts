import { Command } from 'commander';
import { version } from './http-api.ts';
import { addOperationCommands } from './operation-commands.ts';
import type { Session } from './session.ts';

const epilogue = `
The key and the address come from finhook login, or from FINHOOK_API_KEY and FINHOOK_URL.

Exit codes: 0 done, 1 the service refused or a check failed, 2 wrong usage, 3 the service can't be reached,
130 interrupted.`;

export function createProgram(session: Session): Command {
  const program = new Command('finhook')
    .description('The command line of finhook: every operation of its API, and tools to develop and test webhooks.')
    .version(version)
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText('after', epilogue);
  program.commandsGroup('Operations of the API:');
  addOperationCommands(program, session);
  for (const command of everyCommand(program))
    command.exitOverride().showHelpAfterError('(--help lists what there is)');
  return program;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
