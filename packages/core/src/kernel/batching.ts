import { isDatabaseUnavailable, isLoginRefused } from './database-error.ts';

export interface MicroBatchOptions<Item, Result> {
  /** Carries out one batch, wholly or not at all, and answers in the order of its items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The weight of a batch at most; a heavier single item goes by itself. */
  readonly maxWeight: number;
  readonly weigh?: (item: Item) => number;
  /** Batches under way at once. A further one begins only when it is full, because large batches cost less. */
  readonly inFlight: number;
  /** How long after the beginning of a batch the next one begins at the earliest, in ms, unless it is full; 0 if absent. */
  readonly gatherMs?: number;
  /** Called when nothing is waiting or under way any more. */
  readonly onIdle?: () => void;
}

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes one call of many: calls of the same turn go together, and those that come while a batch is under way go in the
 * next one. A batcher that was idle for `gatherMs` adds no wait. A batch that fails is carried out in halves, so that what
 * one item brings about is no other's fault; when the database is away it rejects each of its calls.
 */
export function createMicroBatch<Item, Result>(
  options: MicroBatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, maxWeight, weigh = () => 1, inFlight, gatherMs = 0, onIdle } = options;
  let waiting: Entry<Item, Result>[] = [];
  let waitingWeight = 0;
  let running = 0;
  let beginsAt = 0;

  const mayStart = () => {
    if (waitingWeight >= maxWeight) return running < inFlight;
    return running === 0 && performance.now() >= beginsAt;
  };

  const take = (): Entry<Item, Result>[] => {
    const { count, weight } = fitting(waiting, maxWeight, weigh);
    waitingWeight -= weight;
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return batch;
  };

  const send = async (batch: readonly Entry<Item, Result>[]) => {
    await carryOut(batch, run);
    running -= 1;
    flush();
    if (running === 0 && waiting.length === 0) onIdle?.();
  };

  const flush = () => {
    while (waiting.length > 0 && mayStart()) {
      running += 1;
      beginsAt = performance.now() + gatherMs;
      void send(take());
    }
    schedule();
  };
  const cue = createCue(flush);

  const schedule = () => {
    if (waiting.length === 0) return;
    if (mayStart()) cue.soon();
    else if (running === 0) cue.later(Math.max(0, beginsAt - performance.now()));
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      waitingWeight += weigh(item);
      schedule();
    });
}

async function carryOut<Item, Result>(
  batch: readonly Entry<Item, Result>[],
  run: MicroBatchOptions<Item, Result>['run'],
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    if (results.length !== batch.length) {
      // Not thrown: it was carried out, so its halves must not be.
      const miscounted = new Error(`A batch of ${batch.length} has ${results.length} results.`);
      return batch.forEach(({ reject }) => reject(miscounted));
    }
    for (const [index, result] of results.entries()) batch[index]?.resolve(result);
  } catch (error) {
    const isAway = isDatabaseUnavailable(error) || isLoginRefused(error);
    if (batch.length === 1 || isAway) return batch.forEach(({ reject }) => reject(error));
    const half = batch.length >> 1;
    await carryOut(batch.slice(0, half), run);
    await carryOut(batch.slice(half), run);
  }
}

/** How many entries, from the first on, weigh at most `maxWeight` together, and what they weigh; at least one. */
function fitting<Item>(
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

/** Says when `work` is to be done next: `soon`, or `later` in so many milliseconds unless it is cued before. */
function createCue(work: () => void): { soon(): void; later(ms: number): void } {
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  const go = () => {
    clearTimeout(timer);
    immediate = undefined;
    timer = undefined;
    work();
  };
  return {
    // After the sockets that are readable in this turn have been read.
    soon: () => {
      immediate ??= setImmediate(go);
    },
    later: (ms) => {
      timer ??= setTimeout(go, ms);
    },
  };
}

/** How calls of one kind are carried out together. Declared once, as a constant; it holds no state. */
export type BatchKind<Item, Result> = Pick<MicroBatchOptions<Item, Result>, 'run' | 'maxWeight' | 'inFlight'>;

/** Carries out a call together with those of the same kind and key that come at the same moment. */
export type Coalesce = <Item, Result>(kind: BatchKind<Item, Result>, key: string, item: Item) => Promise<Result>;

/** The batches of one process, one for each kind and key that is in use. */
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

// A kind's map holds only batches that were made from this kind.
function batchOf<Item, Result>(_: BatchKind<Item, Result>, batch: unknown) {
  return batch as ((item: Item) => Promise<Result>) | undefined;
}

/**
 * Does `work` for one item after the other, also when it fails for some of them: those who stand behind one that always
 * fails have their turn. Gives up at once when the database is away.
 *
 * @throws AggregateError of all failures, at the end
 */
export async function forEachSettled<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${items.length} failed.`);
}
