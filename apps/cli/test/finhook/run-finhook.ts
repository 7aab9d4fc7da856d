import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@finhook/testing';

const program = fileURLToPath(new URL('../../src/finhook/main.ts', import.meta.url));

interface Ended {
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

export interface CommandLine {
  /** The folder of its settings. */
  folder: string;
  start: (...args: string[]) => Running;
  /** Leaves the standard input open. */
  startOpen: (...args: string[]) => Running;
  run: (...args: string[]) => Promise<Ended>;
  runWith: (options: { env?: Record<string, string>; input?: string }, ...args: string[]) => Promise<Ended>;
  remove: () => void;
}

/** `finhook` as a process of its own, with settings of its own. */
export function openCommandLine(env: Record<string, string> = {}): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'finhook-command-'));
  const launch = (
    args: readonly string[],
    options: { env?: Record<string, string>; input?: string; isOpen?: boolean } = {},
  ): Running => {
    const child = spawn(process.execPath, [program, ...args], {
      env: {
        PATH: '/usr/bin:/bin',
        NODE_COMPILE_CACHE: compileCache,
        FINHOOK_CONFIG_DIR: folder,
        ...env,
        ...options.env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    if (options.isOpen !== true) child.stdin.end(options.input ?? '');
    const printed = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...printed }));
    return { child, stdout: () => printed.stdout, stderr: () => printed.stderr, ended };
  };
  return {
    folder,
    start: (...args) => launch(args),
    startOpen: (...args) => launch(args, { isOpen: true }),
    run: (...args) => launch(args).ended,
    runWith: (options, ...args) => launch(args, options).ended,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
