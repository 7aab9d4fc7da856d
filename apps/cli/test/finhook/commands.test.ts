// Risk: an operation or an input is missing from the command line, or the generated files are outdated.
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { operationList } from '@finhook/contracts';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generated.ts';
import { readEnvironment } from '../../src/finhook/env.ts';
import { commandPath, flagName } from '../../src/finhook/names.ts';
import { createOutput } from '../../src/finhook/output.ts';
import { createProgram } from '../../src/finhook/program.ts';
import { table } from '../../src/finhook/table.ts';
import { createTerminal, standardInput } from '../../src/terminal.ts';

const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
const env = readEnvironment({});
const program = createProgram({
  env,
  input: standardInput,
  output: createOutput(env, createTerminal(silent, silent)),
  signal: new AbortController().signal,
});

function commandOf(id: string): Command | undefined {
  return commandPath(id).reduce<Command | undefined>(
    (command, name) => command?.commands.find((each) => each.name() === name),
    program,
  );
}

test('the generated files are those of the operations table', () => {
  for (const [path, text] of Object.entries(generatedFiles())) {
    const stored = readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
    expect(stored, `${path}: run pnpm run docs`).toBe(text);
  }
});

test('help lists the permissions of a key, and names the command that lists the event types', () => {
  const helpOf = (id: string) => commandOf(id)?.helpInformation().replaceAll(/\s+/g, ' ');
  expect(helpOf('apiKeys.create')).toContain('webhooks:write, wires:write');
  for (const id of ['webhookEndpoints.create', 'webhookEndpoints.replay', 'events.list'])
    expect(helpOf(id)).toContain('finhook event-types list');
});

test.each(operationList.map(({ id }) => id))('%s is a command whose help names each input once', (id) => {
  const command = commandOf(id);
  const flags = command?.options.flatMap(({ long }) => long ?? []) ?? [];
  expect(flags).toHaveLength(new Set(flags).size);
  const inputs = table.operations.find((each) => each.id === id)?.fields.map(({ name }) => flagName(name)) ?? [];
  expect(flags).toEqual(expect.arrayContaining(inputs));
  const help = command?.helpInformation() ?? '';
  for (const flag of inputs) expect(help).toMatch(new RegExp(`^ +${flag}\\b`, 'm'));
});

test('an option of an approval is a text, or JSON of a label with its decision', async () => {
  const command = commandOf('agentApprovals.request');
  command?.action(() => undefined);
  const labelled = '{"label":"Wait","decision":"deny"}';
  await command?.parseAsync(['--options', 'Pay now', '--options', labelled, '--options', '[1]'], { from: 'user' });
  expect(command?.opts()).toMatchObject({ options: ['Pay now', { label: 'Wait', decision: 'deny' }, '[1]'] });
});
