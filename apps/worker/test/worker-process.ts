import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@finhook/testing';

export interface WorkerProcess {
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code when the process ends. */
  exited(): Promise<number | null>;
  /** SIGSTOP; its connections stay open. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** Output of stdout and stderr so far. */
  output(): string;
}

const programs = {
  main: fileURLToPath(new URL('../src/main.ts', import.meta.url)),
  quick: fileURLToPath(new URL('quick-main.ts', import.meta.url)),
};

export interface WorkerProgram {
  /** `main` is the program of operators; `quick` has shorter waits. */
  readonly program?: keyof typeof programs;
  /** For `quick`. */
  readonly timeoutMs?: number;
  readonly leaseMs?: number;
}

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
