type ConnectStep = 'dns' | 'connect' | 'tls';

/** Called after each step; after `dns` with the first address. */
export type OnConnectStep = (step: ConnectStep, address?: string) => void;

/** Milliseconds of each step of connecting; null for one not needed or not reached. */
export class ConnectSteps {
  address: string | undefined;
  dns: number | null = null;
  connect: number | null = null;
  tls: number | null = null;

  #lastAt = performance.now();

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
