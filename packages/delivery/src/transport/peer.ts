type ConnectStep = 'dns' | 'connect' | 'tls';

/** Called after each step; for `dns` with the first address of the name. */
export type OnConnectStep = (step: ConnectStep, address?: string) => void;

/** Milliseconds of each step; null for one that was not needed or not reached. */
export type ConnectTimings = Readonly<Record<ConnectStep, number | null>>;

export class Peer {
  address: string | undefined;

  #timings: ConnectTimings | undefined;

  /** Starts over for a new connection; `literal` is the host if it is an IP address. */
  begin(literal: string | undefined): OnConnectStep {
    this.address = literal;
    const timings: Record<ConnectStep, number | null> = { dns: null, connect: null, tls: null };
    this.#timings = timings;
    let lastAt = performance.now();
    return (step, address) => {
      const at = performance.now();
      timings[step] = Math.round(at - lastAt);
      lastAt = at;
      this.address ??= address;
    };
  }

  get timings(): ConnectTimings | undefined {
    return this.#timings;
  }

  /** Timings for the first exchange of the connection; later ones reuse it and get undefined. */
  takeTimings(): ConnectTimings | undefined {
    const taken = this.#timings;
    this.#timings = undefined;
    return taken;
  }
}
