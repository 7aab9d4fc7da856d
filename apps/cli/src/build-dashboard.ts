import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const usualScript = fileURLToPath(new URL('../../dashboard/scripts/build.ts', import.meta.url));
const COMMAND = 'npx -y pnpm@12.21.0 --filter @finhook/dashboard run build';
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 600;

/** Builds the dashboard in its own process, unless it is up to date. Resolves with the message of a failure. */
export function buildDashboard({ script = usualScript, timeoutMs = TIMEOUT_MS } = {}): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(process.execPath, [script, '--if-changed'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  // A failed start exits at once.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT);
  });
  child.once('error', (error) => resolve(sentence(error.message)));
  child.once('close', (code) => {
    process.removeListener('exit', end);
    resolve(code === 0 ? undefined : sentence(output.trim() || `it did not end within ${timeoutMs / 1_000} s`));
  });
  return promise;
}

function sentence(reason: string): string {
  return `The dashboard could not be built; everything else works. What the build said:

${reason.replaceAll(/^/gm, '  ')}

To try again while the service runs: ${COMMAND}
`;
}
