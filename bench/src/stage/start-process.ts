import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawnSupervised } from '@finhook/embedded';

export interface ServiceOptions {
  readonly name: string;
  readonly main: URL;
  readonly environment: Readonly<Record<string, string>>;
  /** Folder for its log, which goes to a file as in production and not through this process. */
  readonly logFolder: string;
  /** The log contains this once it serves. */
  readonly readyText: string;
  readonly nodeArguments?: readonly string[];
}

export interface Service {
  readonly pid: number;
  /** Resolves once it serves. */
  readonly ready: Promise<void>;
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<void>;
}

const pollMs = 20;
const readyWithinMs = 30_000;
const lastCharacters = 2_000;
const started = 'started';

/** Puts the log into a file named by the first argument, and becomes the program. */
const intoFile = `log=$1; shift; echo ${started}; exec "$@" >"$log" 2>&1`;

/** Starts a process of the service that cannot outlive this one. Resolves before it serves. */
export async function startProcess(options: ServiceOptions): Promise<Service> {
  const { name, main, environment, logFolder, nodeArguments = [] } = options;
  const log = join(logFolder, `${name}-${performance.now().toFixed(0)}.log`);
  const variables = Object.entries(environment).map(([key, value]) => `${key}=${value}`);
  const program = [process.execPath, ...nodeArguments, fileURLToPath(main)];
  const child = await spawnSupervised({
    binary: '/bin/sh',
    args: ['-c', intoFile, 'sh', log, '/usr/bin/env', ...variables, ...program],
    cwd: logFolder,
    readyText: started,
  });
  const ready = waitUntilReady(options, log, child.exited);
  // Whoever needs it awaits it; a service that is stopped before is no fault.
  ready.catch(() => undefined);
  return {
    pid: child.pid,
    ready,
    stop: async () => {
      child.signal('SIGTERM');
      await child.exited;
    },
  };
}

/** Reads the log until it says that the service is up. Rejects with its last lines when the process ends before. */
async function waitUntilReady(
  { name, readyText }: ServiceOptions,
  log: string,
  exited: Promise<unknown>,
): Promise<void> {
  let gone = false;
  void exited.then(() => (gone = true));
  for (let waited = 0; waited < readyWithinMs; waited += pollMs) {
    // Makes the file where the process has not done so yet.
    const text = readFileSync(log, { encoding: 'utf8', flag: 'a+' });
    if (text.includes(readyText)) return;
    if (gone) throw new Error(`The ${name} process ended:\n${text.slice(-lastCharacters)}`);
    await delay(pollMs);
  }
  throw new Error(`The ${name} process did not get ready within ${readyWithinMs / 1000} s.`);
}
