import { setTimeout as delay } from 'node:timers/promises';
import { Rejected, Unreachable } from './failure.ts';
import type { Input, Service } from './http-api.ts';
import type { Output } from './output.ts';
import type { TableOperation } from './table.ts';

export interface Page<Row = unknown> {
  data: readonly Row[];
  has_more: boolean;
  next_cursor: string | null;
}

export async function readPage<Row = unknown>(
  service: Service,
  of: TableOperation | string,
  input: Input,
): Promise<Page<Row>> {
  return (await service.call<Page<Row>>(of, input)).body;
}

/** All pages of a list, with 200 rows each by default. */
export async function* readPages<Row = unknown>(
  service: Service,
  of: TableOperation | string,
  input: Input,
): AsyncGenerator<Page<Row>> {
  let after = input['after'];
  for (;;) {
    const page = await readPage<Row>(service, of, { limit: 200, ...input, after });
    yield page;
    if (!page.has_more || page.next_cursor === null) return;
    after = page.next_cursor;
  }
}

const MAX_WAIT_MS = 15_000;

export function isTemporary(error: unknown): error is Rejected | Unreachable {
  return error instanceof Unreachable || (error instanceof Rejected && error.isTemporary);
}

/** Retries while the service can't be reached or asks to wait, for at most `maxMs`, and says so once. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { say }: Output,
  signal: AbortSignal,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  const until = performance.now() + maxMs;
  for (let tries = 0; ; tries++) {
    try {
      const result = await work();
      if (tries > 0) say('Connected again.');
      return result;
    } catch (error) {
      if (!isTemporary(error) || performance.now() > until) throw error;
      if (tries === 0) say(`${error.message}\n  Waiting until it works again.`);
      const wanted = error instanceof Rejected ? (error.retryAfter ?? 0) * 1_000 : 0;
      await pause(Math.max(wanted, Math.min(MAX_WAIT_MS, 500 * 2 ** tries)), signal);
    }
  }
}

/** Rejects with the signal's reason. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
