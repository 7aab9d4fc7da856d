/** Nothing was sent: the receiver has not failed. */
export class NotBegunError extends Error {
  override readonly name = 'NotBegunError';
}

/** Waits that their owner can end together; too many per second for listeners of an AbortSignal. */
export class Waits {
  readonly #ends = new Set<() => void>();
  #isEnded = false;

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

export type WaitLimits = { readonly maxWaitMs?: number | undefined; readonly waits?: Waits | undefined };

/** `join` joins a queue, calls `onTurn` once, and returns a function that leaves it. Resolves to false at a limit. */
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
