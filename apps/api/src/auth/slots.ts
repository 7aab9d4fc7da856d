/** Takes places of an account, one unless said otherwise, and returns what gives them back; throws when too few are free. */
export type EnterPlaces = (accountId: string, places?: number) => () => void;

/**
 * So many places of each account in this process; `refuse` is thrown beyond. Who wants more than there are takes all of
 * them: it is let in when nobody else is.
 */
export function createPlaces(max: number, refuse: () => Error): EnterPlaces {
  const taken = new Map<string, number>();
  return (accountId, places = 1) => {
    const wanted = Math.min(places, max);
    const count = taken.get(accountId) ?? 0;
    if (count + wanted > max) throw refuse();
    taken.set(accountId, count + wanted);
    return () => {
      const left = (taken.get(accountId) ?? wanted) - wanted;
      if (left === 0) taken.delete(accountId);
      else taken.set(accountId, left);
    };
  };
}
