/** Takes a place of an account and returns what gives it back; throws when all are taken. */
export type EnterPlace = (accountId: string) => () => void;

/** So many places of each account in this process; `refuse` is thrown beyond. */
export function createPlaces(max: number, refuse: () => Error): EnterPlace {
  const taken = new Map<string, number>();
  return (accountId) => {
    const count = taken.get(accountId) ?? 0;
    if (count >= max) throw refuse();
    taken.set(accountId, count + 1);
    return () => {
      const left = (taken.get(accountId) ?? 1) - 1;
      if (left === 0) taken.delete(accountId);
      else taken.set(accountId, left);
    };
  };
}
