export interface TurnsOptions {
  max: number;
  waitMs: number;
}

export interface ConnectionTurns {
  /**
   * Resolves when `accountId` may take a connection, with a function to call on its return. Rejects after `waitMs`.
   */
  take(accountId: string | undefined): Promise<() => void>;
  waiting(): number;
}

interface Waiter {
  admit: () => void;
}

/** Statements without an account are a group of their own. */
type Group = string | undefined;

/** This share of the connections stays free for other accounts. */
const KEPT_FREE = 1 / 8;

/**
 * Fair sharing of a pool's connections. Transactions of one account wait for each other's sequence, so a burst would
 * hold all connections and block other accounts. Here accounts take turns, and each holds at most seven eighths.
 */
export function createConnectionTurns({ max, waitMs }: TurnsOptions): ConnectionTurns {
  const most = max - Math.floor(max * KEPT_FREE);
  const held = new Map<Group, number>();
  const lines = createLines();
  let taken = 0;

  const heldBy = (group: Group): number => held.get(group) ?? 0;
  const isFree = (group: Group): boolean => taken < max && (group === undefined || heldBy(group) < most);

  function count(group: Group, change: 1 | -1): void {
    taken += change;
    const sum = heldBy(group) + change;
    if (sum === 0) held.delete(group);
    else held.set(group, sum);
  }

  function grant(group: Group): () => void {
    count(group, 1);
    return () => {
      count(group, -1);
      lines.serve(isFree);
    };
  }

  function wait(group: Group): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter = {
      admit: () => {
        clearTimeout(timer);
        resolve(grant(group));
      },
    };
    const timer = setTimeout(() => {
      lines.remove(group, waiter);
      reject(new Error('timeout exceeded when trying to connect'));
    }, waitMs);
    lines.add(group, waiter);
    return promise;
  }

  return {
    // Waiting accounts cannot use a free connection: they are at their limit.
    take: async (accountId) => (isFree(accountId) && !lines.has(accountId) ? grant(accountId) : wait(accountId)),
    waiting: () => lines.size(),
  };
}

/** Waiting requests by group, in the order of turns. */
function createLines() {
  const lines = new Map<Group, Set<Waiter>>();
  let size = 0;

  function remove(group: Group, waiter: Waiter): void {
    const line = lines.get(group);
    if (line?.delete(waiter)) size--;
    if (line?.size === 0) lines.delete(group);
  }

  return {
    has: (group: Group): boolean => lines.has(group),
    size: (): number => size,
    add: (group: Group, waiter: Waiter): void => {
      const line = lines.get(group) ?? new Set();
      lines.set(group, line.add(waiter));
      size++;
    },
    remove,
    /** Admits the first request of each group that may take a connection, in turn. */
    serve: (mayTake: (group: Group) => boolean): void => {
      for (const [group, line] of lines) {
        const [first] = line;
        if (first === undefined || !mayTake(group)) continue;
        remove(group, first);
        // Moves the group to the end, where this loop meets it again.
        if (lines.delete(group)) lines.set(group, line);
        first.admit();
      }
    },
  };
}
