import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Launch } from './launch.ts';

/**
 * Finds a free TCP port on 127.0.0.1. Another process may take it before the caller binds it, so callers must be ready to
 * retry.
 */
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
  /** The user to run as; the current one when absent. */
  readonly launch?: Launch;
  /** The output of the server contains this when it is ready. */
  readonly readyText: string;
  readonly log?: (line: string) => void;
}

export interface SupervisedProcess {
  readonly pid: number;
  /** Resolves with the last log lines when the process has exited. */
  readonly exited: Promise<readonly string[]>;
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGQUIT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

const keptLines = 20;

/**
 * A watchdog reads a pipe that only this process writes to. A line means that the server has exited; end of file means
 * that this process died, even by SIGKILL, and the watchdog sends SIGINT to the server. `exec` keeps the pid; the double
 * fork keeps the watchdog from becoming a child that the server would have to reap.
 */
const withWatchdog = '( ( read -r _ <&3 || kill -INT $$ ) >/dev/null 2>&1 & ); exec 3<&-; exec "$@" 2>&1';

/**
 * Starts a server program that can't outlive this process, and resolves when it is ready.
 * @throws Error with the program's last output when it exits before.
 */
export async function spawnSupervised(options: SupervisedOptions): Promise<SupervisedProcess> {
  const { prefix = [], user = {} } = options.launch ?? {};
  const child = spawn('/bin/sh', ['-c', withWatchdog, 'sh', ...prefix, options.binary, ...options.args], {
    ...user,
    cwd: options.cwd,
    env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    // Its own session, so that Ctrl-C in a terminal doesn't reach it: its parent stops it.
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
  // The watchdog may be gone already; its broken pipe is no error.
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
    // "close" comes after the last line, "exit" may come before it.
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
