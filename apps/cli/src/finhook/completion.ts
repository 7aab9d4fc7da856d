import type { Command, Option } from 'commander';
import { usageFailure } from './failure.ts';
import type { Session } from './session.ts';

const scripts: Readonly<Record<string, string>> = {
  bash: `_finhook() { mapfile -t COMPREPLY < <(compgen -W "$(finhook complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}"); }
complete -o default -F _finhook finhook`,
  zsh: `#compdef finhook
_finhook() { compadd -- \${(f)"$(finhook complete -- "\${(@)words[2,CURRENT-1]}")"} }
compdef _finhook finhook`,
  fish: `complete -c finhook -f -a '(finhook complete -- (commandline -opc)[2..])'`,
};

/** `completion <shell>` prints the shell's script, which calls `complete` with the words before the cursor. */
export function addCompletion(program: Command, { output }: Session): void {
  program
    .command('completion')
    .summary('shell completion')
    .description('Prints the completion script of a shell. For bash: source <(finhook completion bash)')
    .argument('<shell>', Object.keys(scripts).join(', '))
    .action((shell: string) => {
      const script = scripts[shell];
      if (script === undefined)
        throw usageFailure(`There is no completion for ${shell}, only for ${Object.keys(scripts).join(', ')}.`);
      output.print(script);
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const each of candidates(program, words)) output.print(each);
    });
}

function candidates(program: Command, words: readonly string[]): string[] {
  const at = (command: Command, word: string): Command =>
    command.commands.find((each) => each.name() === word) ?? command;
  const command = words.reduce(at, program);
  const flag = command.options.find(({ long }) => long === words.at(-1));
  if (flag && takesValue(flag)) return flag.argChoices ?? [];
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  return [...names, ...command.options.flatMap(({ long }) => long ?? []), '--help'];
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
