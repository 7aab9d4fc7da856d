export interface TurnsOptions {
  /** Connections of the pool. */
  max: number;
  /** Time that a request may wait for its turn, in ms. */
  waitMs: number;
}

/** Shares the connections of a pool among the accounts that wait for one. */
export interface ConnectionTurns {
  /**
   * Resolves once `accountId` may take a connection; call the returned function when it is returned. Statements without
   * an account are a group of their own. Rejects after `waitMs`, as the pool does.
   */
  take(accountId: string | undefined): Promise<() => void>;
  /** Requests that wait. */
  waiting(): number;
}

interface Waiter {
  admit: () => void;
}

/** Statements without an account are a group of their own. */
type Group = string | undefined;

/** Of the connections, this share stays free for other accounts: the next one waits for nobody's transaction. */
const KEPT_FREE = 1 / 8;

/**
 * The pool alone lends in the order of arrival. The transactions of one account wait for each other, because they number
 * its changes: when many come at once they hold every connection, and a request of another account waits behind all of
 * them. Here accounts take turns, and one account holds at most seven eighths of the connections.
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
    // Others that wait can't be served by what is free: it is more than their accounts may hold.
    take: async (accountId) => (isFree(accountId) && !lines.has(accountId) ? grant(accountId) : wait(accountId)),
    waiting: () => lines.size(),
  };
}

/** Those that wait, by group in the order of their turns. */
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
    /** Admits the first ones of the groups that may take a connection, one of each in turn. */
    serve: (mayTake: (group: Group) => boolean): void => {
      for (const [group, line] of lines) {
        const [first] = line;
        if (first === undefined || !mayTake(group)) continue;
        remove(group, first);
        // It goes to the end, and is met there again.
        if (lines.delete(group)) lines.set(group, line);
        first.admit();
      }
    },
  };
}
