import { isDatabaseAway, isDatabaseUnavailable } from '../db/database-error.ts';

export interface MicroBatchOptions<Item, Result> {
  /** Runs a batch atomically. Results have the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Maximum weight of a batch. A heavier item gets its own batch. */
  readonly maxWeight: number;
  readonly weigh?: (item: Item) => number;
  /** Maximum number of concurrent batches. All but the first start only when full, because large batches cost less. */
  readonly inFlight: number;
  /** Minimum interval between starts of batches that are not full, in ms. Default: 0. */
  readonly gatherMs?: number;
  readonly onIdle?: () => void;
}

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches calls. Calls of one turn share a batch, calls during a batch go to the next, an idle batcher adds no delay. A
 * failed batch is retried in halves to isolate the bad item, unless the database is unavailable.
 */
export function createMicroBatch<Item, Result>(
  options: MicroBatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, maxWeight, weigh = () => 1, inFlight, gatherMs = 0, onIdle } = options;
  let waiting: Entry<Item, Result>[] = [];
  let waitingWeight = 0;
  let running = 0;
  let nextStartAt = 0;

  const mayStart = () => {
    if (waitingWeight >= maxWeight) return running < inFlight;
    return running === 0 && performance.now() >= nextStartAt;
  };

  const takeBatch = (): Entry<Item, Result>[] => {
    const { count, weight } = countFitting(waiting, maxWeight, weigh);
    waitingWeight -= weight;
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return batch;
  };

  const send = async (batch: readonly Entry<Item, Result>[]) => {
    await runBatch(batch, run);
    running -= 1;
    flush();
    if (running === 0 && waiting.length === 0) onIdle?.();
  };

  const flush = () => {
    while (waiting.length > 0 && mayStart()) {
      running += 1;
      nextStartAt = performance.now() + gatherMs;
      void send(takeBatch());
    }
    schedule();
  };
  const scheduler = createScheduler(flush);

  const schedule = () => {
    if (waiting.length === 0) return;
    if (mayStart()) scheduler.soon();
    else if (running === 0) scheduler.later(Math.max(0, nextStartAt - performance.now()));
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      waitingWeight += weigh(item);
      schedule();
    });
}

async function runBatch<Item, Result>(
  batch: readonly Entry<Item, Result>[],
  run: MicroBatchOptions<Item, Result>['run'],
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    if (results.length !== batch.length) {
      // The batch was committed, so its halves must not run again.
      const miscounted = new Error(`A batch of ${batch.length} has ${results.length} results.`);
      return batch.forEach(({ reject }) => reject(miscounted));
    }
    for (const [index, result] of results.entries()) batch[index]?.resolve(result);
  } catch (error) {
    if (batch.length === 1 || isDatabaseAway(error)) return batch.forEach(({ reject }) => reject(error));
    const half = batch.length >> 1;
    await runBatch(batch.slice(0, half), run);
    await runBatch(batch.slice(half), run);
  }
}

function countFitting<Item>(
  entries: readonly { readonly item: Item }[],
  maxWeight: number,
  weigh: (item: Item) => number,
): { count: number; weight: number } {
  let weight = 0;
  let count = 0;
  for (const { item } of entries) {
    const heavier = weight + weigh(item);
    if (count > 0 && heavier > maxWeight) break;
    weight = heavier;
    count += 1;
  }
  return { count, weight };
}

/** Schedules one run of `work`: at the end of this turn, or after a delay, whichever is first. */
function createScheduler(work: () => void): { soon(): void; later(ms: number): void } {
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    clearTimeout(timer);
    immediate = undefined;
    timer = undefined;
    work();
  };
  return {
    // setImmediate runs after this turn's I/O, so that requests that arrived together share a batch.
    soon: () => {
      immediate ??= setImmediate(start);
    },
    later: (ms) => {
      timer ??= setTimeout(start, ms);
    },
  };
}

export type BatchKind<Item, Result> = Pick<MicroBatchOptions<Item, Result>, 'run' | 'maxWeight' | 'inFlight'>;

export type Coalesce = <Item, Result>(kind: BatchKind<Item, Result>, key: string, item: Item) => Promise<Result>;

/** Batches items of the same kind and key; one batcher per key exists while it has work. */
export function createCoalesce(): Coalesce {
  const kinds = new Map<object, Map<string, unknown>>();
  return (kind, key, item) => {
    const batches = kinds.get(kind) ?? new Map<string, unknown>();
    kinds.set(kind, batches);
    const batch = batchOf(kind, batches.get(key)) ?? createMicroBatch({ ...kind, onIdle: () => batches.delete(key) });
    batches.set(key, batch);
    return batch(item);
  };
}

// Each kind has a map of its own, so the types match.
function batchOf<Item, Result>(_: BatchKind<Item, Result>, batch: unknown) {
  return batch as ((item: Item) => Promise<Result>) | undefined;
}

/**
 * Runs `work` for each item in turn, continuing after failures unless the database is unavailable. Returns how many
 * calls returned true. @throws AggregateError of all failures
 */
export async function forEachSettled<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<number> {
  const failures: unknown[] = [];
  let done = 0;
  for (const item of items) {
    try {
      if ((await work(item)) === true) done += 1;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${items.length} failed.`);
  return done;
}
