// Risk: a copied command runs something else in the shell of whoever pastes it, or sends another request than was sent.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startReceiver } from '@finhook/testing';
import { assert, asyncProperty, constantFrom, dictionary, oneof, string, stringMatching, webUrl } from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { toCurl } from './to-curl.ts';

const execute = promisify(execFile);

/** Runs a script as if it was typed: it comes by standard input, where its length has no limit. */
function runShell(script: string): Promise<{ stdout: string }> {
  const running = execute('sh', [], { encoding: 'utf8', maxBuffer: 4_000_000 });
  running.child.stdin?.end(script);
  return running;
}

// Replaces curl with a function that prints each of its arguments, and its standard input when it is used.
const printer = `curl() { printf '%s\\0' "$@"; case "$*" in *'--data-binary @-'*) cat ;; esac; }`;

/** The words of the command in a real shell. */
async function wordsOf(command: string): Promise<string[]> {
  const { stdout } = await runShell(`${printer}\n${command}`);
  return stdout.split('\0');
}

const nasty = constantFrom(
  "'",
  '"',
  '\\',
  '$(id)',
  '`id`',
  '\n',
  '!!',
  "'\\''",
  '%s',
  '${HOME}',
  '*',
  '~',
  ';',
  '&',
  '@x',
);
const text = oneof(string({ unit: 'binary', maxLength: 40 }), string({ unit: nasty, maxLength: 12 })).map((value) =>
  value.replaceAll('\0', '').toWellFormed(),
);

test('whatever is in the url, the headers and the body stays one word of the shell', async () => {
  const property = asyncProperty(
    webUrl({ withQueryParameters: true }),
    dictionary(stringMatching(/^[a-z][a-z-]{0,12}$/), text, { maxKeys: 4, noNullPrototype: true }),
    text,
    async (url, headers, body) => {
      const words = await wordsOf(toCurl({ url, headers, body }));
      const sent = Object.entries(headers).filter(([name]) => name !== 'content-length');
      expect(words).toEqual([
        '--globoff',
        '--request',
        'POST',
        '--url',
        url,
        ...sent.flatMap(([name, value]) => ['--header', value === '' ? `${name};` : `${name}: ${value}`]),
        '--header',
        'Accept:',
        '--header',
        'Expect:',
        '--data-raw',
        body,
        '',
      ]);
    },
  );
  await assert(property, { numRuns: 60 });
});

test('a body that is too long for an argument is piped, byte by byte', async () => {
  const body = JSON.stringify({ text: "it's 100 % 'quoted'\n\u00e4\ud83d\ude00 \\n $HOME ".repeat(6_000) });
  const words = await wordsOf(toCurl({ url: 'https://example.com/', headers: {}, body }));
  expect(words.slice(-4)).toEqual(['Expect:', '--data-binary', '@-', body]);
});

test('curl sends the request that was sent', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const bodies = [`{"a":"it's","b":[1,2]}`, JSON.stringify({ long: "ä'\n".repeat(60_000) })];
  const headers = {
    'content-type': 'application/json',
    'content-length': '22',
    'user-agent': 'finhook/1',
    'x-empty': '',
  };
  for (const body of bodies) {
    await runShell(`${toCurl({ url: `${receiver.url}/a?b={1,2}&c=[1-3]`, headers, body })} --silent`);
  }
  expect(receiver.requests).toHaveLength(2);
  for (const [index, request] of receiver.requests.entries()) {
    expect(request.body.toString()).toBe(bodies[index]);
    expect(request.path).toBe('/a?b={1,2}&c=[1-3]');
    expect(request.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(bodies[index] ?? '')),
      'user-agent': 'finhook/1',
      'x-empty': '',
    });
  }
});
