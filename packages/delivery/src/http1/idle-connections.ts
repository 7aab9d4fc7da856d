import type { Connection } from './connection.ts';

export type IdleLimits = {
  readonly maxAgeMs: number;
  readonly idleMs: number;
};

/** A connection is closed this long before the receiver's `Keep-Alive: timeout`. */
const marginMs = 2_000;
const maxIdleMs = 600_000;

type Idle = { readonly connection: Connection; readonly endAt: number };

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
