import { createLogger, type Logger } from '@finhook/runtime';
import type { QueueBackend } from '@finhook/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createQueueConsumer, type JobHandlers, type QueueConsumer } from '../src/consumer.ts';
import type { QueueTiming } from '../src/driver.ts';
import { createQueueProducer, type QueueProducer } from '../src/producer.ts';

/** A deadline that calls keep even on a busy machine. */
export const slowCallMs = 15_000;

export function consumeFrom(
  url: string,
  { logger, handlers, timing }: { logger: Logger; handlers: Partial<JobHandlers>; timing?: QueueTiming },
): QueueConsumer {
  const rest = async () => undefined;
  return createQueueConsumer(url, {
    logger,
    concurrency: { 'connection.sync': 1, 'maintenance.run': 1 },
    handlers: { deliver: rest, 'connection.sync': rest, 'maintenance.run': rest, ...handlers },
    ...(timing === undefined ? {} : { timing }),
  });
}

/** Wakes a worker for these endpoints. */
export function wake(producer: QueueProducer, ...ids: readonly string[]): Promise<void> {
  return producer.deliver({ endpoints: ids.map(toRef) });
}

export const toRef = (id: string) => ({ id, accountId: 'acc_test' });

/** A handler of wake-ups. */
export function onWake(run: (id: string) => unknown): Pick<JobHandlers, 'deliver'> {
  return {
    deliver: async ({ endpoints }) => {
      for (const { id } of endpoints) await run(id);
    },
  };
}

/** True if the backend accepts jobs. */
export function isReady(producer: QueueProducer): Promise<boolean> {
  return producer.ping().then(
    () => true,
    () => false,
  );
}

/** The endpoints that a consumer was woken for, in order. */
export interface Heard {
  readonly woken: readonly string[];
  /** Resolves when the consumer was woken for this one. */
  has(id: string): Promise<void>;
  close(): Promise<void>;
}

/** A producer and consumers of a queue that the tests of a suite share; each test starts with an empty one. */
export function useQueue<T extends Pick<QueueBackend, 'url' | 'empty' | 'close'>>(open: () => Promise<T>) {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });
  const consumers = new Set<QueueConsumer>();
  let backend: T;
  let producer: QueueProducer;

  beforeAll(async () => {
    backend = await open();
    return () => backend.close();
  });
  beforeEach(async () => {
    lines.length = 0;
    producer = createQueueProducer(backend.url, { logger, timeoutMs: slowCallMs });
    await expect.poll(() => isReady(producer)).toBe(true);
  });
  afterEach(async () => {
    for (const consumer of consumers) await consumer.close({ timeoutMs: 5_000 });
    await producer.close();
    await backend.empty();
  });
  afterAll(() => consumers.clear());

  const consume = (handlers: Partial<JobHandlers>, timing?: QueueTiming): QueueConsumer => {
    const consumer = consumeFrom(backend.url, { logger, handlers, ...(timing === undefined ? {} : { timing }) });
    const close: QueueConsumer['close'] = (options) => {
      consumers.delete(opened);
      return consumer.close(options);
    };
    const opened = { ...consumer, close };
    consumers.add(opened);
    return opened;
  };
  return {
    get backend() {
      return backend;
    },
    get producer() {
      return producer;
    },
    /** Log lines of this test. */
    lines,
    logger,
    consume,
    listen: (timing?: QueueTiming): Heard => {
      const woken: string[] = [];
      const consumer = consume(
        onWake((id) => woken.push(id)),
        timing,
      );
      return {
        woken,
        has: (id) => expect.poll(() => woken, { timeout: 10_000, interval: 5 }).toContain(id),
        close: () => consumer.close({ timeoutMs: 5_000 }),
      };
    },
    /**
     * Repeats the wake-up until it arrives: those during an outage may be lost, and a cluster takes up to 15 s to be
     * whole.
     */
    wakeUntilHeard: (id: string, { woken }: Heard, from = producer): Promise<void> => {
      const attempt = async () => {
        await wake(from, id).catch(() => undefined);
        return woken.includes(id);
      };
      return expect.poll(attempt, { timeout: 30_000, interval: 50 }).toBe(true);
    },
  };
}
