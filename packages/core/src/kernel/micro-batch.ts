export interface MicroBatchOptions<Item, Result> {
  /** Carries out one batch and answers in the order of its items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The weight of a batch at most; a heavier single item goes by itself. */
  readonly maxWeight: number;
  readonly weigh?: (item: Item) => number;
  /** Batches under way at once. A further one begins only when it is full, because large batches cost less. */
  readonly inFlight: number;
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
 * next one. An idle batcher adds no wait. A batch that fails rejects each of its calls.
 */
export function createMicroBatch<Item, Result>(
  options: MicroBatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, maxWeight, weigh = () => 1, inFlight, onIdle } = options;
  let waiting: Entry<Item, Result>[] = [];
  let waitingWeight = 0;
  let running = 0;
  let scheduled = false;

  const mayStart = () => running === 0 || (running < inFlight && waitingWeight >= maxWeight);

  const take = (): Entry<Item, Result>[] => {
    let weight = 0;
    let count = 0;
    for (const { item } of waiting) {
      const heavier = weight + weigh(item);
      if (count > 0 && heavier > maxWeight) break;
      weight = heavier;
      count += 1;
    }
    waitingWeight -= weight;
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return batch;
  };

  const send = async (batch: readonly Entry<Item, Result>[]) => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    running -= 1;
    flush();
    if (running === 0) onIdle?.();
  };

  const flush = () => {
    scheduled = false;
    while (waiting.length > 0 && mayStart()) {
      running += 1;
      void send(take());
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      waitingWeight += weigh(item);
      if (scheduled || !mayStart()) return;
      scheduled = true;
      // After the sockets that are readable in this turn have been read.
      setImmediate(flush);
    });
}
