// Risk: a program prints another person's text unchanged, with escape sequences.
import { terminalOutput } from './terminal-output.ts';
import { ruleTester } from './test/rule-tester.ts';

const at = (path: string, code: string) => ({ name: `${path}: ${code}`, code, filename: `/repository/${path}` });
const program = 'apps/cli/src/finhook/login.ts';
const errors = [/^Print through apps\/cli\/src\/terminal\.ts/];

ruleTester.run('terminal-output', terminalOutput, {
  valid: [
    at('apps/cli/src/terminal.ts', 'process.stdout.write(text);'),
    at('apps/cli/scripts/pack-cli.ts', 'process.stdout.write(path);'),
    at('apps/cli/src/command.test.ts', 'console.log(1);'),
    at(program, 'process.stdin.isTTY; output.print(text);'),
  ],
  invalid: ['process.stdout.write(text);', 'process.stderr;', 'console.log(text);', 'console.error(text);'].map(
    (code) => ({ ...at(program, code), errors }),
  ),
});
