// Risk: a process whose output nobody reads blocks, or never ends and keeps its port and database.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMigratedDatabase } from '@finhook/core/test';
import { freePort } from '@finhook/embedded';
import { compileCache, type TestDatabase } from '@finhook/testing';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { hasInfo, temporaryFolder } from './local-process.ts';
import { secretsKey } from './service-process.ts';

const stop = new AsyncDisposableStack();
const root = mkdtempSync(join(tmpdir(), 'finhook-unread-'));
const mains = {
  start: fileURLToPath(new URL('../src/main.ts', import.meta.url)),
  api: fileURLToPath(new URL('main.ts', import.meta.resolve('@finhook/api'))),
  // Only the log and the shutdown of api and worker.
  program: join(root, 'program.mjs'),
};
const outputs = ['closed', 'full', 'broken'] as const;

let database: TestDatabase;
let child: ChildProcess | undefined;
beforeAll(async () => {
  database = await createMigratedDatabase(inject('pgUrl'));
  stop.defer(() => database.drop());
  stop.defer(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(
    mains.program,
    `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { createLogger, runUntilSignal } from ${JSON.stringify(import.meta.resolve('@finhook/runtime'))};
    const folder = process.env.FINHOOK_DATA_DIR;
    const logger = createLogger({ name: 'program', level: 'debug' });
    await runUntilSignal({
      logger,
      start: async () => {
        logger.info({}, 'ready');
        mkdirSync(folder);
        writeFileSync(folder + '/local.json', '');
        return { [Symbol.asyncDispose]: async () => undefined };
      },
    });
    `,
  );
});
afterEach(() => void child?.kill('SIGKILL'));
afterAll(() => stop.disposeAsync());

/** A pipe that nobody reads. */
function openPipe(): { writer: number; reader: number } {
  const path = join(mkdtempSync(join(root, 'pipe-')), 'fifo');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, 'w') };
}

function fill(pipe: number): void {
  try {
    for (;;) writeSync(pipe, Buffer.alloc(1_024, '.'));
  } catch {
    // EAGAIN: it is full.
  }
}

async function run(program: keyof typeof mains, output: (typeof outputs)[number]) {
  const pipe = openPipe();
  if (output === 'full') fill(pipe.reader);
  const folder = temporaryFolder();
  stop.defer(async () => folder.remove());
  const PORT = String(await freePort());
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    NODE_COMPILE_CACHE: compileCache,
    DATABASE_URL: database.url,
    SECRETS_KEY: secretsKey,
    QUEUE_URL: database.url,
    FINHOOK_DATA_DIR: folder.path,
    LOG_LEVEL: 'debug',
    PORT,
  };
  const command = `exec "$0" "$1" ${output === 'closed' ? '>&- 2>&-' : ''}`;
  child = spawn('/bin/sh', ['-c', command, process.execPath, mains[program]], {
    env,
    stdio: ['ignore', pipe.writer, pipe.writer],
  });
  closeSync(pipe.writer);
  const running = child;
  const ended = new Promise<number | null>((resolve) => running.once('exit', (code) => resolve(code)));
  const isServing = async () =>
    program === 'api' ? (await fetch(`http://127.0.0.1:${PORT}/readyz`)).ok : hasInfo(folder.path);
  await vi.waitFor(async () => expect(await isServing()).toBe(true), { timeout: 40_000, interval: 100 });
  if (output === 'broken') closeSync(pipe.reader);
  else stop.defer(async () => closeSync(pipe.reader));
  return { signal: () => running.kill('SIGTERM'), ended };
}

const cases = [
  ...outputs.flatMap((output) => [['start', output] as const, ['program', output] as const]),
  ['api', 'full'] as const,
];

test.for(cases)('%s with %s standard output and error serves, and stops after a signal', async ([program, output]) => {
  const { signal, ended } = await run(program, output);
  signal();
  // A forced exit has 1.
  expect(await ended).toBe(0);
});

test('start with a broken output ends at once after a second signal', async () => {
  const { signal, ended } = await run('start', 'broken');
  signal();
  // A package manager forwards signals that its process group gets anyway.
  signal();
  expect([0, 1]).toContain(await ended);
});
