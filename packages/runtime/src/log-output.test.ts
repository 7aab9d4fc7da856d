// Risk: a log without a reader blocks or ends the service, keeps its process alive, or loses lines silently.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogOutput } from './log-output.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pipe with this many free bytes. `fault`: the error code of each write. */
function setup({ room = Infinity, maxWaiting }: { room?: number; maxWaiting?: number } = {}) {
  const pipe = { room, text: '', writes: 0, fault: undefined as string | undefined };
  const output = createLogOutput({
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
    writeBytes: (bytes) => {
      pipe.writes += 1;
      if (pipe.fault !== undefined) throw Object.assign(new Error('write'), { code: pipe.fault });
      if (pipe.room === 0) throw Object.assign(new Error('write'), { code: 'EAGAIN' });
      const count = Math.min(pipe.room, bytes.length);
      pipe.text += Buffer.from(bytes.subarray(0, count)).toString('latin1');
      pipe.room -= count;
      return count;
    },
  });
  return { pipe, output };
}

test('lines are written in blocks, and what is left of one within 50 ms', () => {
  const { pipe, output } = setup();
  output.write('a\n');
  expect(pipe.writes).toBe(0);
  vi.advanceTimersByTime(50);
  expect([pipe.text, pipe.writes]).toEqual(['a\n', 1]);
  for (let i = 0; i < 100; i += 1) output.write(`${'x'.repeat(99)}\n`);
  expect(pipe.writes).toBe(3);
  vi.advanceTimersByTime(50);
  expect(pipe.text.length).toBe(2 + 10_000);
});

test('a slow reader gets every byte in order, also of characters that a write cut', () => {
  const { pipe, output } = setup({ room: 3 });
  const text = 'äöü → one\n'.repeat(1_000);
  for (const line of text.match(/.*\n/g) ?? []) output.write(line);
  while (pipe.text.length < Buffer.byteLength(text)) {
    pipe.room = 1_001;
    vi.advanceTimersByTime(50);
  }
  expect(Buffer.from(pipe.text, 'latin1').toString()).toBe(text);
});

test('a reader that does not read costs no memory beyond the limit, and gets the number of dropped lines', () => {
  const { pipe, output } = setup({ room: 0, maxWaiting: 10_000 });
  for (let i = 0; i < 1_000; i += 1) output.write(`${'x'.repeat(99)}\n`);
  // One attempt per block, not per line.
  expect(pipe.writes).toBeLessThan(30);
  pipe.room = Infinity;
  vi.advanceTimersByTime(50);
  const lines = pipe.text.trimEnd().split('\n');
  expect(lines).toHaveLength(101);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'warn', dropped: 900 });
  output.write('next\n');
  vi.advanceTimersByTime(50);
  expect(pipe.text.endsWith('next\n')).toBe(true);
});

test.each(['EPIPE', 'ENOSPC', 'EIO', 'EBADF'])('%s discards lines and neither throws nor repeats', (fault) => {
  const { pipe, output } = setup();
  pipe.fault = fault;
  for (let i = 0; i < 100; i += 1) output.write(`${'x'.repeat(99)}\n`);
  output.flush();
  expect(pipe.writes).toBeLessThan(5);
  pipe.fault = undefined;
  output.write('there is room again\n');
  output.flush();
  expect(pipe.text).toBe('there is room again\n');
});

test('at the end of the process a full pipe is waited for, but not for ever', () => {
  const { pipe, output } = setup({ room: 0 });
  vi.useRealTimers();
  output.write('last\n');
  output.flush();
  expect([pipe.text, pipe.writes > 10]).toEqual(['', true]);
});
