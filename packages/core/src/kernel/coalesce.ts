import { createMicroBatch, type MicroBatchOptions } from './micro-batch.ts';

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
