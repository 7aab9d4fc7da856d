import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { spawnSupervised } from '@finhook/embedded';

export interface ServiceOptions {
  readonly name: string;
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Folder of its log file. */
  readonly logFolder: string;
  /** The log contains this once the process is ready. */
  readonly readyText: string;
}

export interface Service {
  readonly pid: number;
  /** Resolves once the process is ready. */
  readonly ready: Promise<void>;
  /** SIGTERM; resolves when the process has exited. */
  stop(): Promise<void>;
}

const pollMs = 20;
const readyWithinMs = 30_000;
const lastCharacters = 2_000;
const started = 'started';

/** Redirects the log to the file of the first argument and runs the program. */
const intoFile = `log=$1; shift; echo ${started}; exec "$@" >"$log" 2>&1`;

/** Starts a process that ends with this one. Resolves before it is ready. */
export async function startProcess(options: ServiceOptions): Promise<Service> {
  const { name, command, environment, logFolder } = options;
  const log = join(logFolder, `${name}-${performance.now().toFixed(0)}.log`);
  const variables = Object.entries(environment).map(([key, value]) => `${key}=${value}`);
  const child = await spawnSupervised({
    binary: '/bin/sh',
    args: ['-c', intoFile, 'sh', log, '/usr/bin/env', ...variables, ...command],
    cwd: logFolder,
    readyText: started,
  });
  const ready = waitUntilReady(options, log, child.exited);
  // Callers may stop a service before it is ready.
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

/** Rejects with the last log lines if the process exits first. */
async function waitUntilReady(
  { name, readyText }: ServiceOptions,
  log: string,
  exited: Promise<unknown>,
): Promise<void> {
  let gone = false;
  void exited.then(() => (gone = true));
  for (let waited = 0; waited < readyWithinMs; waited += pollMs) {
    // Creates the file if needed.
    const text = readFileSync(log, { encoding: 'utf8', flag: 'a+' });
    if (text.includes(readyText)) return;
    if (gone) throw new Error(`The ${name} process ended:\n${text.slice(-lastCharacters)}`);
    await delay(pollMs);
  }
  throw new Error(`The ${name} process did not get ready within ${readyWithinMs / 1000} s.`);
}

const nodeOptions = {
  api: { file: 'Dockerfile', pattern: /^(?:ENV)? +NODE_OPTIONS=(\S+)/m },
  worker: { file: 'docker-compose.yml', pattern: /^ {2}worker:\n(?: {4}.*\n)*? {6}NODE_OPTIONS: (\S+)/m },
};

/** The Node options of a service's container. `codeFolder` replaces the image's compile cache. */
export function imageSettings(
  root: URL,
  service: keyof typeof nodeOptions,
  codeFolder: string,
): Record<string, string> {
  const { file, pattern } = nodeOptions[service];
  const options = pattern.exec(readFileSync(new URL(file, root), 'utf8'))?.[1];
  if (options === undefined) throw new Error(`${file} sets no NODE_OPTIONS for the ${service}.`);
  return { NODE_OPTIONS: options, NODE_COMPILE_CACHE: codeFolder };
}

/** Fills the compile cache like the image: starts the program without its configuration, which exits with an error. */
export async function keepCode(settings: Readonly<Record<string, string>>, program: URL): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(program)], { env: settings }).catch(() => undefined);
}

const conditionPollMs = 100;

/** Rejects with an error that contains `what` after `withinMs`. */
export async function waitUntil(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s in vain until ${what}.`);
    await delay(conditionPollMs);
  }
}
