import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReceivedEvent } from '@finhook/client';
import type { Example } from './examples.ts';
import { listen } from './listen.ts';

const folder = fileURLToPath(new URL('../next-app', import.meta.url));
const program = `${folder}/node_modules/next/dist/bin/next`;
const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };

/** Whether Next.js was installed into `next-app`, which nothing but its own test needs. */
export const isNextInstalled = existsSync(program);

/** Builds the application of `next-app`, as it is before it is deployed. */
export async function buildNext(): Promise<void> {
  await promisify(execFile)(process.execPath, [program, 'build'], { cwd: folder, env });
}

/** Serves what was built with Next.js' own server, in a process of its own. Its route hands events on to `store`. */
export const startNext: Example['start'] = async (secret, store) => {
  const storage = await listen((request, response) => {
    json(request)
      .then((event) => store(asEvent(event)))
      .then(
        () => response.end(),
        () => response.writeHead(500).end(),
      );
  });
  const child = spawn(process.execPath, [program, 'start', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: folder,
    env: { ...env, WEBHOOK_SECRET: secret, STORE_URL: storage.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const url = await printedUrl(child, closed);
  return {
    url,
    close: async () => {
      child.kill();
      await Promise.all([closed, storage.close()]);
    },
  };
};

function printedUrl(child: ChildProcess, closed: Promise<unknown>): Promise<string> {
  let output = '';
  const found = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, url] = /Local: +(\S+)[^]*Ready/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  return Promise.race([found, closed.then(() => Promise.reject(new Error(`Next.js ended:\n${output}`)))]);
}

// The route hands on what `parseWebhook` made.
function asEvent(value: unknown): ReceivedEvent {
  return value as ReceivedEvent;
}
