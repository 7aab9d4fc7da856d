interface Counted {
  readonly held: number;
}

/** A priority queue in constant time: fewest `held` first, then first in, first out. Change `held` only outside. */
export class FewestFirst<T extends Counted> {
  readonly #byHeld: Set<T>[] = [];
  #size = 0;
  #fewest = 0;

  get size(): number {
    return this.#size;
  }

  add(item: T): void {
    const { held } = item;
    while (this.#byHeld.length <= held) this.#byHeld.push(new Set());
    this.#byHeld[held]?.add(item);
    this.#size += 1;
    if (held < this.#fewest) this.#fewest = held;
  }

  delete(item: T): void {
    if (this.#byHeld[item.held]?.delete(item)) this.#size -= 1;
  }

  has(item: T): boolean {
    return this.#byHeld[item.held]?.has(item) === true;
  }

  first(): T | undefined {
    for (const item of this.inOrder()) return item;
    return undefined;
  }

  *inOrder(): Generator<T, void> {
    if (this.#size === 0) return;
    while (this.#byHeld[this.#fewest]?.size === 0) this.#fewest += 1;
    for (let held = this.#fewest; held < this.#byHeld.length; held += 1) yield* this.#byHeld[held] ?? [];
  }
}
