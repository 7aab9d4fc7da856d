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
