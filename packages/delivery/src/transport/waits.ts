/** The request was not begun: nothing of it was sent, and its receiver has not failed. */
export class NotBegunError extends Error {
  override readonly name = 'NotBegunError';
}

/**
 * The waits that one owner can end together. A listener of an AbortSignal for each would cost more than the rest of a
 * wait: thousands begin and end in a second.
 */
export class Waits {
  readonly #ends = new Set<() => void>();
  #isEnded = false;

  /** True once they were ended: then none begins. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  add(end: () => void): void {
    this.#ends.add(end);
  }

  delete(end: () => void): void {
    this.#ends.delete(end);
  }

  end(): void {
    this.#isEnded = true;
    for (const end of this.#ends) end();
  }
}

/** What ends a wait before its turn: a time, or the end of the waits of its owner. */
export type WaitLimits = { readonly maxWaitMs?: number | undefined; readonly waits?: Waits | undefined };

/**
 * Waits for a turn. `join` gets in line, calls `onTurn` once, at once or later, and returns how to leave the line.
 * Resolves to true at the turn, and to false when a limit ended the wait, which has left the line then.
 */
export function waitForTurn(
  { maxWaitMs, waits }: WaitLimits,
  join: (onTurn: () => void) => () => void,
): Promise<boolean> {
  if (waits?.isEnded) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (isTurn: boolean): void => {
      clearTimeout(timer);
      waits?.delete(giveUp);
      resolve(isTurn);
    };
    const giveUp = (): void => {
      leave();
      end(false);
    };
    const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
    waits?.add(giveUp);
    const leave = join(() => end(true));
  });
}
