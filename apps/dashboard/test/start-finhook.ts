import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@finhook/testing';

export interface ServiceInfo {
  api_url: string;
  api_key: string;
  company_id: string;
  dashboard_url: string;
  sign_in_url: string;
  ops_url: string;
  ops_password: string;
}

export interface Service {
  info: ServiceInfo;
  dataDir: string;
  /** Runs programs of apps/cli on the data folder, see program-server.ts. */
  programsUrl: string;
  stop: () => Promise<void>;
}

const main = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));
const demo = fileURLToPath(new URL('../../cli/src/demo.ts', import.meta.url));
const programServer = fileURLToPath(new URL('../../cli/test/program-server.ts', import.meta.url));
/** The first start builds the dashboard, which takes minutes on a busy machine. */
const startMs = 240_000;
const pollMs = 100;

function asInfo(value: unknown): ServiceInfo {
  return value as ServiceInfo;
}

interface Program {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  ended: Promise<number | null>;
  output: () => string;
}

function spawnProgram(data: string, program: string, args: readonly string[] = []): Program {
  const child = spawn(process.execPath, [program, ...args], {
    // The service ends with this process, as it does under a script runner.
    env: {
      PATH: '/usr/bin:/bin',
      NODE_COMPILE_CACHE: compileCache,
      FINHOOK_DATA_DIR: data,
      PORT: '0',
      npm_lifecycle_event: 'test',
    },
    stdio: 'pipe',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { child, ended: new Promise((end) => child.once('close', end)), output: () => output };
}

async function readInfo(file: string, { child, output }: Program): Promise<ServiceInfo> {
  const until = Date.now() + startMs;
  while (!existsSync(file)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`The service did not start:\n${output()}`);
    await delay(pollMs);
  }
  return asInfo(JSON.parse(readFileSync(file, 'utf8')));
}

async function readUrl({ child, ended, output }: Program): Promise<string> {
  const line = once(createInterface(child.stdout), 'line');
  const first = await Promise.race([line, ended]);
  if (!Array.isArray(first)) throw new Error(`The server of programs did not start:\n${output()}`);
  const { address, port } = JSON.parse(String(first[0]));
  return `http://${address}:${port}`;
}

/** Starts the whole service as its users do: one process on its own data folder, with an embedded PostgreSQL. */
export async function startFinhook(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'finhook-dashboard-'));
  chmodSync(folder, 0o711);
  const data = join(folder, 'data');
  const service = spawnProgram(data, main);
  const info = await readInfo(join(data, 'local.json'), service);
  const server = spawnProgram(data, programServer, [data]);
  return {
    info,
    dataDir: data,
    programsUrl: await readUrl(server),
    async stop() {
      for (const { child, ended } of [server, service]) {
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function runDemo(dataDir: string): Promise<void> {
  const { ended, output } = spawnProgram(dataDir, demo);
  const code = await ended;
  if (code !== 0) throw new Error(`The demo ended with ${code}:\n${output()}`);
}
