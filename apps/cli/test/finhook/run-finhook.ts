import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@finhook/testing';
import { readEnvironment } from '../../src/finhook/env.ts';
import { createOutput } from '../../src/finhook/output.ts';
import { runCommand } from '../../src/finhook/run-command.ts';
import { createTerminal } from '../../src/terminal.ts';

export const finhookProgram = fileURLToPath(new URL('../../src/finhook/main.ts', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Running {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<Ended>;
}

interface Options {
  env?: Record<string, string>;
  input?: string;
}

/** `finhook` with its own settings, without a terminal. */
export interface CommandLine {
  folder: string;
  env: Record<string, string>;
  /** In this process. */
  run: (...args: string[]) => Promise<Ended>;
  runWith: (options: Options, ...args: string[]) => Promise<Ended>;
  /** As a process, with an open standard input. */
  start: (...args: string[]) => Running;
  remove: () => void;
}

function collect() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

async function runHere(variables: Record<string, string>, input: string, args: readonly string[]): Promise<Ended> {
  const env = readEnvironment(variables);
  const [stdout, stderr] = [collect(), collect()];
  const stdin = { isTerminal: false, stream: Readable.from([Buffer.from(input)]), readAll: () => Buffer.from(input) };
  const output = createOutput(env, createTerminal(stdout.stream, stderr.stream));
  const code = await runCommand({ env, input: stdin, output, signal: new AbortController().signal }, args);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

export function openCommandLine(env: Record<string, string> = {}): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'finhook-command-'));
  const settings = { FINHOOK_CONFIG_DIR: folder, ...env };
  const processEnv = { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: compileCache, ...settings };
  const launch = (variables: Record<string, string>, args: readonly string[]) => {
    const child = spawn(process.execPath, [finhookProgram, ...args], { env: variables });
    const printed = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...printed }));
    return { child, stdout: () => printed.stdout, stderr: () => printed.stderr, ended };
  };
  const run = ({ env: more = {}, input = '' }: Options, args: readonly string[]): Promise<Ended> =>
    runHere({ ...settings, ...more }, input, args);
  return {
    folder,
    env: processEnv,
    run: (...args) => run({}, args),
    runWith: (options, ...args) => run(options, args),
    start: (...args) => launch(processEnv, args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
