import type { Connection } from './connection.ts';

export type IdleLimits = {
  /** From its opening a connection is used for this long, and closed after the request in flight then. */
  readonly maxAgeMs: number;
  /** A connection without a request is closed after this, or earlier if the receiver says so. */
  readonly idleMs: number;
};

/** With `Keep-Alive: timeout`, a connection is closed this much before the receiver closes it. */
const marginMs = 2_000;
const maxIdleMs = 600_000;

type Idle = { readonly connection: Connection; readonly endAt: number };

/** The open connections of one origin that have no request in flight. */
export class IdleConnections {
  readonly #limits: IdleLimits;
  /** The one that was used last is last. */
  #idle: Idle[] = [];

  constructor(limits: IdleLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** Keeps a connection, or closes it when it has no time left. */
  put(connection: Connection): void {
    const now = performance.now();
    const endAt = Math.min(connection.openedAt + this.#limits.maxAgeMs, now + this.#idleMs(connection));
    if (endAt > now) this.#idle.push({ connection, endAt });
    else connection.destroy();
  }

  /** Removes the one that was used last, so that those that are not needed end. */
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

  /** Closes those whose time has ended at `now`, in milliseconds of `performance.now()`. */
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
