// Risk: a hanging reader blocks a command or a page, or the reason of a failure is lost.
import { Worker } from 'node:worker_threads';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { ReadingWorker, ReadTimeout, type WorkerEvents } from '../src/index.ts';

interface Functions {
  echo: (input: unknown) => unknown;
  hang: (input: Int32Array) => never;
  reject: (input: object) => never;
  fail: (input: object) => never;
  exit: (input: object) => never;
  [name: string]: (input: never) => unknown;
}

const moduleOf = (name: string) => JSON.stringify(new URL(`../src/${name}`, import.meta.url).href);
// A worker without readers.
const source = `
  const { parentPort } = require('node:worker_threads');
  const modules = [import(${moduleOf('reading-worker.ts')}), import(${moduleOf('errors.ts')})];
  Promise.all(modules).then(([{ createListener }, { BankFileError }]) => {
    const functions = {
      echo: (input) => input,
      hang: (runs) => { Atomics.store(runs, 0, 1); for (;;); },
      reject: () => { throw new BankFileError('no amount', { line: 7, column: 3 }); },
      fail: () => { throw new TypeError('broken'); },
      exit: () => process.exit(4),
    };
    parentPort.on('message', createListener(functions, (answer) => parentPort.postMessage(answer)));
  });
`;

const open: Worker[] = [];
const exits: Promise<unknown>[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((thread) => thread.terminate()));
});

function start({ onMessage, onFailure }: WorkerEvents) {
  const thread = new Worker(source, { eval: true });
  open.push(thread);
  exits.push(new Promise((resolve) => thread.once('exit', resolve)));
  thread.on('message', onMessage);
  thread.on('error', onFailure);
  thread.on('exit', (code) => onFailure(new Error(`ended with ${code}`)));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has none
    post: (message: unknown) => thread.postMessage(message),
    end: () => void thread.terminate(),
  };
}

/** Without a timer. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

const reading = (timeoutMs?: number) => new ReadingWorker<Functions>(start, timeoutMs);

test('a call that never returns is rejected at the deadline, its thread ends, and the next call has another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const worker = reading(3_000);
  const runs = new Int32Array(new SharedArrayBuffer(4));
  const calls = [worker.call('hang', runs), worker.call('echo', 1)];
  await until(() => runs[0] === 1);
  vi.advanceTimersByTime(3_000);
  for (const result of await Promise.allSettled(calls)) {
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ReadTimeout) });
  }
  await expect(calls[0]).rejects.toThrow('The file was not read within 3 s.');
  await exits[0];
  expect(await worker.call('echo', 2)).toBe(2);
  expect(open).toHaveLength(2);
});

test('closing ends a call that never returns, with the reason that is given', async () => {
  const worker = reading();
  const call = worker.call('hang', new Int32Array(new SharedArrayBuffer(4)));
  worker.close(new Error('Interrupted.'));
  await expect(call).rejects.toThrow('Interrupted.');
  await exits.at(-1);
});

test('an error of a file keeps its place, and other errors their message', async () => {
  const worker = reading();
  await expect(worker.call('reject', {})).rejects.toMatchObject({
    name: 'BankFileError',
    message: 'Line 7, column 3: no amount',
    place: { line: 7, column: 3 },
  });
  await expect(worker.call('fail', {})).rejects.toThrow('broken');
  await expect(worker.call('exit', {})).rejects.toThrow('ended with 4');
});

test('an object with any names arrives as it was sent', async () => {
  const sent: unknown = JSON.parse('{"__proto__":"giro","constructor":"other"}');
  expect(JSON.stringify(await reading().call('echo', sent))).toBe('{"__proto__":"giro","constructor":"other"}');
});
