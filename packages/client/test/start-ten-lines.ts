import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The program that the README shows, in a process of its own. */
export interface TenLines {
  readonly url: string;
  /** Ends it; resolves with all it printed. Rejects when it had ended by itself. */
  readonly stop: () => Promise<string>;
}

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Runs it on a free port instead of 4000; the rest is as it stands. */
export async function startTenLines(secret: string): Promise<TenLines> {
  const source = readFileSync(new URL('../examples/ten-lines.ts', import.meta.url), 'utf8');
  const program = source.replace(
    '.listen(4000)',
    `.listen(0, '127.0.0.1', function () { process.send(this.address()) })`,
  );
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: folder,
    env: { WEBHOOK_SECRET: secret, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const closed = once(child, 'close');
  const [address] = await Promise.race([once(child, 'message'), closed.then(() => Promise.reject(new Error(output)))]);
  return {
    url: `http://127.0.0.1:${asPort(address)}`,
    stop: async () => {
      if (child.exitCode !== null) throw new Error(`It ended by itself:\n${output}`);
      child.kill();
      await closed;
      return output;
    },
  };
}

function asPort(address: unknown): number {
  return (address as { port: number }).port;
}
