/** The steps of making a connection, in their order; `tls` comes with https only. */
type ConnectStep = 'dns' | 'connect' | 'tls';

/** Called as each step is done; with `dns`, the first address that the name resolved to. */
export type OnConnectStep = (step: ConnectStep, address?: string) => void;

/** Milliseconds that each step took; null for one that was not needed or not reached. */
export type ConnectTimings = Readonly<Record<ConnectStep, number | null>>;

/** One connection as its exchanges see it: where it leads, and how long each step of making it took. */
export class Peer {
  /** The address that it leads to or, while it is being made, that its name resolved to. */
  address: string | undefined;

  readonly #now: () => number;
  #timings: ConnectTimings | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A new connection is begun in the place of the old one; `literal` where its host is an address. */
  begin(literal: string | undefined): OnConnectStep {
    this.address = literal;
    const timings: Record<ConnectStep, number | null> = { dns: null, connect: null, tls: null };
    this.#timings = timings;
    let lastAt = this.#now();
    return (step, address) => {
      const at = this.#now();
      timings[step] = Math.round(at - lastAt);
      lastAt = at;
      this.address ??= address;
    };
  }

  /** How the connection was made so far; undefined once an exchange has taken it for its own. */
  get timings(): ConnectTimings | undefined {
    return this.#timings;
  }

  /** The same, for the first exchange only: those that come after it find the connection made. */
  takeTimings(): ConnectTimings | undefined {
    const taken = this.#timings;
    this.#timings = undefined;
    return taken;
  }
}
