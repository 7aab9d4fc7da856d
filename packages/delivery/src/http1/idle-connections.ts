import type { Connection } from './connection.ts';

export type IdleLimits = {
  /** Maximum age of a connection; the request in flight ends first. */
  readonly maxAgeMs: number;
  /** Maximum idle time, unless the receiver announces a shorter one. */
  readonly idleMs: number;
};

/** A connection is closed this long before the receiver's `Keep-Alive: timeout`. */
const marginMs = 2_000;
const maxIdleMs = 600_000;

type Idle = { readonly connection: Connection; readonly endAt: number };

/** The idle connections of one origin. */
export class IdleConnections {
  readonly #limits: IdleLimits;
  /** The most recently used is last. */
  #idle: Idle[] = [];

  constructor(limits: IdleLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** Keeps a connection, or closes it if its time is over. */
  put(connection: Connection): void {
    const now = performance.now();
    const endAt = Math.min(connection.openedAt + this.#limits.maxAgeMs, now + this.#idleMs(connection));
    if (endAt > now) this.#idle.push({ connection, endAt });
    else connection.destroy();
  }

  /** Returns the most recently used, so that surplus ones expire. */
  take(): Connection | undefined {
    const now = performance.now();
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      if (last.endAt > now) return last.connection;
      last.connection.destroy();
    }
    return undefined;
  }

  remove(connection: Connection): void {
    this.#idle = this.#idle.filter((one) => one.connection !== connection);
  }

  /** Closes expired ones; `now` is of `performance.now()`. */
  sweep(now: number): void {
    const ended = this.#idle.filter(({ endAt }) => endAt <= now);
    this.#idle = this.#idle.filter(({ endAt }) => endAt > now);
    for (const { connection } of ended) connection.destroy();
  }

  #idleMs({ idleSeconds }: Connection): number {
    if (idleSeconds === undefined) return this.#limits.idleMs;
    return Math.min(idleSeconds * 1000 - marginMs, maxIdleMs);
  }
}
