import { writeSync } from 'node:fs';

/** Lines are written in blocks: one system call per line would cost the api a tenth of a request. */
const blockChars = 4_096;
const flushMs = 50;
/** About 10 000 lines. */
const maxWaitingChars = 4 * 1_024 * 1_024;
const exitMs = 500;
const exitPollMs = 5;

export interface LogOutput {
  /** Never blocks and never throws. */
  write(line: string): void;
  /** Writes the waiting lines at the end of the process; blocks for at most half a second. */
  flush(): void;
}

interface LogOutputOptions {
  /** Writes without blocking and returns the number of bytes; throws EAGAIN if the reader is behind. */
  readonly writeBytes: (bytes: Uint8Array) => number;
  /** Maximum characters that wait for a slow reader; further lines are dropped. Default 4 Mi. */
  readonly maxWaiting?: number;
}

/**
 * A slow reader gets a line with the number of dropped lines. Lines of a failed write (EPIPE, full disk) are discarded.
 */
export function openStandardOutput(): LogOutput {
  // Opening the stream makes a pipe non-blocking. An error event without a listener ends the process.
  process.stdout.on('error', () => undefined);
  const output = createLogOutput({ writeBytes: (bytes) => writeSync(1, bytes) });
  process.once('exit', () => output.flush());
  return output;
}

export function createLogOutput({ writeBytes, maxWaiting = maxWaitingChars }: LogOutputOptions): LogOutput {
  let lines = '';
  let rest: Uint8Array = new Uint8Array();
  let dropped = 0;
  let newChars = 0;
  let isFull = false;
  let retryMs = 1;
  let timer: NodeJS.Timeout | undefined;

  function writeWaiting(): void {
    newChars = 0;
    isFull = false;
    try {
      while (rest.length > 0 || lines !== '' || dropped > 0) {
        if (rest.length === 0) takeBlock();
        rest = rest.subarray(writeBytes(rest));
        retryMs = 1;
      }
    } catch (error) {
      isFull = isBusy(error);
      if (!isFull) [lines, rest] = ['', new Uint8Array()];
    }
  }

  function takeBlock(): void {
    if (lines === '') [lines, dropped] = [droppedLine(dropped), 0];
    rest = Buffer.from(lines);
    lines = '';
  }

  function onTimer(): void {
    timer = undefined;
    writeWaiting();
    if (!isFull) return;
    timer = setTimeout(onTimer, retryMs).unref();
    retryMs = Math.min(2 * retryMs, flushMs);
  }

  return {
    write(line) {
      if (lines.length + rest.length + line.length > maxWaiting) dropped += 1;
      else lines += line;
      newChars += line.length;
      if (newChars >= blockChars) {
        clearTimeout(timer);
        onTimer();
      } else timer ??= setTimeout(onTimer, flushMs).unref();
    },
    flush() {
      const end = performance.now() + exitMs;
      writeWaiting();
      while (isFull && performance.now() < end) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitPollMs);
        writeWaiting();
      }
    },
  };
}

function droppedLine(count: number): string {
  const time = new Date().toISOString();
  const msg = 'log lines were dropped: standard output was not read fast enough';
  return `${JSON.stringify({ level: 'warn', time, pid: process.pid, dropped: count, msg })}\n`;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
