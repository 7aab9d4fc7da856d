// Risk: another person's name, value or error sends escape sequences to the operator's terminal.
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/finhook/env.ts';
import { Rejected } from '../../src/finhook/failure.ts';
import { createOutput, type Output } from '../../src/finhook/output.ts';
import { createTerminal } from '../../src/terminal.ts';

const hostile = 'a\u001b]0;pwned\u0007\u009b31m\u202eb\r\u200bc';
const never = new AbortController().signal;

/** Output on both streams of a terminal, or of pipes. */
async function printed(isTTY: boolean, work: (output: Output) => unknown): Promise<string> {
  let text = '';
  const open = () => {
    const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 80 });
    return stream.on('data', (chunk: string) => (text += chunk));
  };
  await work(createOutput(readEnvironment({ NO_COLOR: '1' }), createTerminal(open(), open())));
  await new Promise(setImmediate);
  return text;
}

const record = { id: hostile, [hostile]: hostile, nested: { [hostile]: [{ [hostile]: hostile }] }, list: [hostile] };
const problem = {
  title: hostile,
  code: hostile,
  request_id: hostile,
  errors: [{ pointer: `/${hostile}`, message: `${hostile}\nError: forged` }],
};
// Any JSON may be the body of a response.
const rejected = new Rejected(422, JSON.parse(JSON.stringify(problem)));
const outputs: Readonly<Record<string, (output: Output) => unknown>> = {
  print: ({ print }) => print(hostile),
  say: ({ say }) => say(hostile),
  'a styled line': ({ printPainted }) => printPainted('green', hostile, hostile),
  'a record': ({ show }) => show(record),
  'a list': ({ show }) => show({ data: [record, { id: 'x', [hostile]: hostile }] }),
  'a rejected request': ({ say }) => say(rejected.message),
  JSON: ({ printJson }) => printJson(JSON.stringify(record)),
};
const cases = Object.keys(outputs).flatMap((name) => [true, false].map((isTTY) => [name, isTTY] as const));

test.each(cases)('%s contains no control character (terminal: %s)', async (name, isTTY) => {
  const text = await printed(isTTY, (output) => outputs[name]?.(output));
  expect(text).toContain('pwned');
  expect(text.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('an error can forge no line', () => {
  expect(rejected.message.split('\n').some((line) => line.startsWith('Error:'))).toBe(false);
});

test('a file is cleaned on a terminal, also where chunks cut a character, and exact in a pipe', async () => {
  const bytes = Buffer.from(`id,name\n1,${hostile}→\n`);
  const chunks = () => Readable.from([...bytes].map((byte) => Buffer.from([byte])));
  expect(await printed(false, ({ writeFile }) => writeFile(chunks(), never))).toBe(bytes.toString());
  expect(await printed(true, ({ writeFile }) => writeFile(chunks(), never))).toBe('id,name\n1,a ]0;pwned  31m b  c→\n');
});
