// Risk: a process loses work when it is stopped, or hangs.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

let dir: string;
let program: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'finhook-lifecycle-'));
  program = join(dir, 'program.mjs');
  const here = (file: string) => JSON.stringify(join(import.meta.dirname, file));
  writeFileSync(
    program,
    `
    import { createLogger } from ${here('logger.ts')};
    import { runUntilSignal } from ${here('process.ts')};
    const [mode, deadlineMs = '5000'] = process.argv.slice(2);
    const logger = createLogger({ level: 'info', name: 'program' });
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    let disposals = 0;
    await runUntilSignal({
      logger,
      deadlineMs: Number(deadlineMs),
      ...(process.argv.includes('says') ? { say: (msg) => console.log(JSON.stringify({ msg, said: true })) } : {}),
      start: async (signal) => {
        if (mode === 'fails') throw new Error('no database');
        if (mode === 'slow-start') {
          logger.info({}, 'starting');
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        }
        if (mode === 'waits') {
          logger.info({}, 'waiting');
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        }
        if (mode === 'rejects') setTimeout(() => Promise.reject(new Error('forgotten')), 10);
        if (mode === 'throws') setTimeout(() => { throw new Error('bug'); }, 10);
        logger.info({}, 'ready');
        return {
          [Symbol.asyncDispose]: async () => {
            disposals += 1;
            if (mode === 'hangs') { logger.info({}, 'disposing'); await wait(60_000); }
            // Longer than log lines are buffered.
            await wait(150);
            logger.info({ disposals }, 'disposed');
          },
        };
      },
    });
    `,
  );
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function watch(child: ChildProcess) {
  const messages: string[] = [];
  const listeners = new Set<() => void>();
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      messages.push(JSON.parse(line).msg);
      for (const listener of listeners) listener();
    });
  }
  const said = (message: string) =>
    new Promise<void>((resolve) => {
      const check = () => messages.includes(message) && resolve();
      listeners.add(check);
      check();
    });
  const read = new Promise((resolve) => child.stdout?.once('close', resolve));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ended = Promise.all([exited, read]).then(([code]) => code);
  return { child, messages, said, ended };
}

const run = (...args: string[]) =>
  watch(spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }));

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s disposes once and ends with code 0', async (signal) => {
  const { child, said, ended, messages } = run('plain');
  await said('ready');
  child.kill(signal);
  expect(await ended).toBe(0);
  expect(messages).toEqual(['ready', 'stopping', 'disposed', 'stopped']);
});

test('a second signal ends a hanging disposal at once with code 1', async () => {
  const { child, said, ended } = run('hangs');
  await said('ready');
  child.kill('SIGINT');
  await said('disposing');
  child.kill('SIGINT');
  expect(await ended).toBe(1);
});

test('a program for people says the reason of a forced end, and does not log it too', async () => {
  const { child, said, ended, messages } = run('hangs', '5000', 'says');
  await said('ready');
  child.kill('SIGINT');
  await said('disposing');
  child.kill('SIGINT');
  expect(await ended).toBe(1);
  expect(messages.filter((message) => message === 'SIGINT again: ending at once')).toHaveLength(1);
});

test('a terminal that sends SIGHUP twice does not interrupt the disposal', async () => {
  const { child, said, ended, messages } = run('plain');
  await said('ready');
  child.kill('SIGHUP');
  await said('stopping');
  child.kill('SIGHUP');
  expect(await ended).toBe(0);
  expect(messages).toEqual(['ready', 'stopping', 'disposed', 'stopped']);
});

test('a disposal past its deadline is ended by force with code 1', async () => {
  const { child, said, ended, messages } = run('hangs', '100');
  await said('ready');
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
  expect(messages.at(-1)).toBe('not stopped after 100 ms: ending by force');
});

test('a signal during the start is obeyed once the start has settled', async () => {
  const { child, said, ended, messages } = run('slow-start');
  await said('starting');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(messages).toEqual(['starting', 'stopping', 'ready', 'disposed', 'stopped']);
});

test('a start that a signal interrupts is no failure', async () => {
  const { child, said, ended, messages } = run('waits');
  await said('waiting');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(messages).toEqual(['waiting', 'stopping', 'stopped']);
});

test.each([
  ['rejects', 'unhandled rejection'],
  ['throws', 'uncaught error'],
])('what nobody handles (%s) is logged, and ends with code 1 after disposing', async (mode, message) => {
  const { ended, messages } = run(mode);
  expect(await ended).toBe(1);
  expect(messages).toEqual(['ready', message, 'disposed', 'stopped']);
});

test('a failed start is logged and ends with code 1', async () => {
  const { ended, messages } = run('fails');
  expect(await ended).toBe(1);
  expect(messages).toEqual(['failed', 'stopped']);
});
