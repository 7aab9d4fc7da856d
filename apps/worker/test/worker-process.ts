import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { secretsKey } from './worker-fixture.ts';

/** `node apps/worker/src/main.ts`, as an operator starts it. */
export interface WorkerProcess {
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGSTOP: it stands still, with its connections open. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** What it wrote to both outputs so far. */
  output(): string;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export function startWorkerProcess(databaseUrl: string, queueUrl: string): WorkerProcess {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queueUrl,
    SECRETS_KEY: secretsKey,
    ALLOW_INSECURE_WEBHOOKS: 'true',
    LOG_LEVEL: 'info',
  };
  const child: ChildProcess = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    output: () => output,
  };
}
