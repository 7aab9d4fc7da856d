import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { plain, plainJson, plainLines } from './clean-text.ts';

/** The only file that writes to standard output and standard error; it removes control characters. */
export interface Terminal {
  print: (text: string) => void;
  /** To standard output; unsafe characters in strings are escaped. */
  printJson: (json: string) => void;
  /** To standard error. */
  say: (text: string) => void;
  /** Prints a styled `lead`, then `text`. Without style unless standard output is a terminal. */
  printStyled: (style: (lead: string) => string, lead: string, text: string) => void;
  /** Replaces the line of the last call. Only if `canRewrite`. */
  rewrite: (text: string, isLast: boolean) => void;
  /** Writes a file to standard output, cleaned if it is a terminal. */
  writeFile: (bytes: Readable, signal: AbortSignal) => Promise<void>;
  isTerminal: boolean;
  canRewrite: boolean;
  columns: number | undefined;
}

export interface TerminalStream extends NodeJS.WritableStream {
  isTTY?: boolean;
  columns?: number;
}

export function createTerminal(stdout: TerminalStream, stderr: TerminalStream): Terminal {
  const isTerminal = stdout.isTTY === true;
  // A line of `rewrite` is unfinished.
  let isOpen = false;
  return {
    print: (text) => void stdout.write(`${plainLines(text)}\n`),
    printJson: (json) => void stdout.write(`${plainJson(json)}\n`),
    say: (text) => {
      stderr.write(`${isOpen ? '\n' : ''}${plainLines(text)}\n`);
      isOpen = false;
    },
    printStyled: (style, lead, text) =>
      void stdout.write(`${isTerminal ? style(plain(lead)) : plain(lead)}${plainLines(text)}\n`),
    rewrite: (text, isLast) => {
      stderr.write(`\r\u001b[K${plain(text)}${isLast ? '\n' : ''}`);
      isOpen = !isLast;
    },
    writeFile: (bytes, signal) =>
      isTerminal
        ? pipeline(bytes, cleanChunks, stdout, { signal, end: false })
        : pipeline(bytes, stdout, { signal, end: false }),
    isTerminal,
    canRewrite: stderr.isTTY === true,
    columns: stdout.columns,
  };
}

async function* cleanChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield plainLines(decoder.decode(chunk, { stream: true }));
  yield plainLines(decoder.decode());
}

/** The terminal of this process. `onClosed` runs when the reader of standard output has closed it. */
export function openTerminal(onClosed: () => void = discard): Terminal {
  for (const [stream, listener] of [
    [process.stdout, onClosed],
    [process.stderr, discard],
  ] as const)
    if (!stream.listeners('error').includes(listener)) stream.on('error', listener);
  return createTerminal(process.stdout, process.stderr);
}

/** Without a reader, errors are lost. */
function discard(): void {}

export function print(text: string): void {
  openTerminal().print(text);
}

export function printJson(json: string): void {
  openTerminal().printJson(json);
}

export function say(text: string): void {
  openTerminal().say(text);
}

export interface StandardInput {
  /** True if a person can answer. */
  readonly isTerminal: boolean;
  readonly stream: Readable;
  /** Until its end. */
  readAll: () => Buffer;
}

export const standardInput: StandardInput = {
  get isTerminal() {
    return process.stdin.isTTY;
  },
  get stream() {
    return process.stdin;
  },
  readAll: () => readFileSync(0),
};

/** Asks on standard error. Resolves with '' if the input ends; rejects with the signal's reason. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // In raw mode Ctrl-C is a key.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = once(terminal, 'close').then(() => '');
  const answer = await Promise.race([terminal.question(`${plain(question)} `, { signal }).catch(() => ''), closed]);
  terminal.close();
  signal.throwIfAborted();
  return answer.trim();
}

export async function askHidden(question: string, signal: AbortSignal): Promise<string> {
  process.stderr.write(`${plain(question)} `);
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: muted, terminal: true });
  try {
    return await terminal.question('', { signal });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
