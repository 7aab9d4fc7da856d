type ConnectStep = 'dns' | 'connect' | 'tls';

/** Called after each step; for `dns` with the first address of the name. */
export type OnConnectStep = (step: ConnectStep, address?: string) => void;

/** The steps of a new connection: milliseconds of each; null for one that was not needed or not reached. */
export class ConnectSteps {
  /** The address of the connection, as soon as it is known. */
  address: string | undefined;
  dns: number | null = null;
  connect: number | null = null;
  tls: number | null = null;

  #lastAt = performance.now();

  /** `literal` is the host if it is an IP address. */
  constructor(literal: string | undefined) {
    this.address = literal;
  }

  readonly onStep: OnConnectStep = (step, address) => {
    const at = performance.now();
    this[step] = Math.round(at - this.#lastAt);
    this.#lastAt = at;
    this.address ??= address;
  };
}
