import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

const nodeOptions = {
  api: { file: 'Dockerfile', pattern: /^(?:ENV)? +NODE_OPTIONS=(\S+)/m },
  worker: { file: 'docker-compose.yml', pattern: /^ {2}worker:\n(?: {4}.*\n)*? {6}NODE_OPTIONS: (\S+)/m },
};

/**
 * What the container of a service sets for Node, so that processes are measured as they are shipped. Compiled code is
 * kept in `codeFolder` instead of in the image.
 */
export function imageSettings(service: keyof typeof nodeOptions, codeFolder: string): Record<string, string> {
  const { file, pattern } = nodeOptions[service];
  const options = pattern.exec(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'))?.[1];
  if (options === undefined) throw new Error(`${file} sets no NODE_OPTIONS for the ${service}.`);
  return { NODE_OPTIONS: options, NODE_COMPILE_CACHE: codeFolder };
}

/** Starts a program once without its configuration: it ends with an error, and its code is kept, as in the image. */
export async function keepCode(settings: Record<string, string>, program: URL): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(program)], { env: settings }).catch(() => undefined);
}

const conditionPollMs = 100;

/** Resolves as soon as the condition holds. @throws Error that names it when it does not within `withinMs`. */
export async function waitUntil(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s in vain until ${what}.`);
    await delay(conditionPollMs);
  }
}
