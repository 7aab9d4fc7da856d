import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@finhook/testing';

/** A worker that an operator, or a test, started. */
export interface WorkerProcess {
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code once it ends by itself. */
  exited(): Promise<number | null>;
  /** SIGSTOP: it stands still, with its connections open. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** What it wrote to both outputs so far. */
  output(): string;
}

const programs = {
  main: fileURLToPath(new URL('../src/main.ts', import.meta.url)),
  quick: fileURLToPath(new URL('quick-main.ts', import.meta.url)),
};

export interface WorkerProgram {
  /** `main` is what an operator starts; the waits of `quick` end sooner. */
  readonly program?: keyof typeof programs;
  /** Of a request, and of leases, for `quick`. */
  readonly timeoutMs?: number;
  readonly leaseMs?: number;
}

/** The settings that differ from one fixture to another. */
export interface WorkerProcessEnv {
  readonly DATABASE_URL: string;
  readonly QUEUE_URL: string;
  readonly SECRETS_KEY: string;
  readonly CELL?: string;
}

export function startWorkerProcess(
  settings: WorkerProcessEnv,
  { program = 'main', timeoutMs, leaseMs }: WorkerProgram = {},
): WorkerProcess {
  const env = {
    ...settings,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ALLOW_INSECURE_WEBHOOKS: 'true',
    LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: compileCache,
  };
  const child: ChildProcess = spawn(
    process.execPath,
    [programs[program], ...[timeoutMs, leaseMs].flatMap((ms) => (ms === undefined ? [] : [String(ms)]))],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    exited: async () => {
      await exited;
      return child.exitCode;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    output: () => output,
  };
}
