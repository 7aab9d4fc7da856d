/** What a slice is about: something to do, answers to wait for, or nothing. */
type Occupation = 'busy' | 'waiting' | 'nothing';

/** Tells when a slice has nothing to do any more, or nothing but to wait. */
interface Lull {
  /** Resolves when there is nothing to do, or for `patienceMs` nothing but to wait; for ever by default. */
  reached(patienceMs?: number): Promise<void>;
  /** Is told of each change. */
  note(occupation: Occupation): void;
}

export function createLull(): Lull {
  let timer: NodeJS.Timeout | undefined;
  let patienceMs: number | undefined;
  let occupation: Occupation = 'busy';
  let { promise, resolve } = Promise.withResolvers<void>();

  const note = (now: Occupation): void => {
    occupation = now;
    if (now === 'nothing') resolve();
    if (now !== 'waiting') {
      clearTimeout(timer);
      timer = undefined;
    } else if (patienceMs !== undefined) {
      timer ??= setTimeout(resolve, patienceMs);
    }
  };
  return {
    note,
    async reached(ms) {
      ({ promise, resolve } = Promise.withResolvers<void>());
      patienceMs = ms;
      note(occupation);
      await promise;
      patienceMs = undefined;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
