import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Launch } from './launch.ts';

/** Finds a free TCP port on 127.0.0.1. Callers must retry, because another process may take it first. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The operating system gave no port.'));
      });
    });
  });
}

export interface SupervisedOptions {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly launch?: Launch;
  /** The output of a ready server contains this. */
  readonly readyText: string;
  readonly log?: (line: string) => void;
}

export interface SupervisedProcess {
  readonly pid: number;
  /** Resolves with the last log lines. */
  readonly exited: Promise<readonly string[]>;
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGQUIT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

const keptLines = 20;

/**
 * A watchdog reads a pipe that only this process writes to. A line means that the server has exited; end of file means
 * that this process died, even by SIGKILL, and the watchdog sends SIGINT to the server. `exec` keeps the pid; the
 * double fork keeps the watchdog from becoming a child that the server would have to reap.
 */
const withWatchdog = '( ( read -r _ <&3 || kill -INT $$ ) >/dev/null 2>&1 & ); exec 3<&-; exec "$@" 2>&1';

/**
 * Starts a server that can't outlive this process. @throws Error with the last output if it exits before it is ready
 */
export async function spawnSupervised(options: SupervisedOptions): Promise<SupervisedProcess> {
  const { prefix = [], user = {} } = options.launch ?? {};
  const child = spawn('/bin/sh', ['-c', withWatchdog, 'sh', ...prefix, options.binary, ...options.args], {
    ...user,
    cwd: options.cwd,
    env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    // A session of its own, which Ctrl-C in a terminal doesn't reach.
    detached: true,
  });
  const lines: string[] = [];
  const exited = whenExited(child, lines);
  await whenReady(child, lines, options);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.binary} did not start.`);
  return { pid, exited, signal: (name) => void child.kill(name) };
}

function whenExited(child: ChildProcess, lines: readonly string[]): Promise<readonly string[]> {
  const pipe = child.stdio[3];
  // The watchdog may have ended: ignore its broken pipe.
  if (pipe instanceof Writable) pipe.on('error', () => undefined);
  return new Promise((resolve) => {
    const done = () => {
      if (pipe instanceof Writable) pipe.end('\n');
      resolve(lines);
    };
    child.once('exit', done);
    child.once('error', done);
  });
}

function whenReady(child: ChildProcess, lines: string[], options: SupervisedOptions): Promise<void> {
  const { stdout } = child;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // "exit" may come before the last line.
    child.once('close', () => reject(new Error(lines.join('\n') || `${options.binary} ended without output.`)));
    if (stdout === null) return;
    createInterface({ input: stdout }).on('line', (line) => {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      options.log?.(line);
      if (line.includes(options.readyText)) resolve();
    });
  });
}
