/** Acquires slots of an account, one by default, and returns what releases them; throws when too few are free. */
export type AcquireSlots = (accountId: string, slots?: number) => () => void;

/**
 * A semaphore per account in this process: `max` slots, and `tooMany` is thrown beyond. A request for more than `max` needs
 * all of them: it is admitted when no other slot is taken.
 */
export function createSlots(max: number, tooMany: () => Error): AcquireSlots {
  const taken = new Map<string, number>();
  return (accountId, slots = 1) => {
    const wanted = Math.min(slots, max);
    const count = taken.get(accountId) ?? 0;
    if (count + wanted > max) throw tooMany();
    taken.set(accountId, count + wanted);
    return () => {
      const left = (taken.get(accountId) ?? wanted) - wanted;
      if (left === 0) taken.delete(accountId);
      else taken.set(accountId, left);
    };
  };
}
