import { isIP } from 'node:net';
import { Connection, type RequestToWrite } from '../http1/connection.ts';
import { ConnectionShares, type Owner } from '../http1/connection-shares.ts';
import { IdleConnections, type IdleLimits } from '../http1/idle-connections.ts';
import type { EchoRedaction } from '../redact/redact-echo.ts';
import { Exchange } from './exchange.ts';
import type { Connector, ConnectTarget } from './open-socket.ts';
import { ConnectSteps } from './peer.ts';
import type { SendResult } from './send-result.ts';
import { type WaitLimits, waitForTurn } from './waits.ts';

export type OriginOptions = IdleLimits & {
  readonly connect: Connector;
  readonly connections: number;
};

export class Origin {
  readonly #target: ConnectTarget;
  readonly #connect: Connector;
  readonly #shares: ConnectionShares;
  readonly #idle: IdleConnections;

  constructor(target: ConnectTarget, options: OriginOptions) {
    this.#target = target;
    this.#connect = options.connect;
    this.#shares = new ConnectionShares(options.connections);
    this.#idle = new IdleConnections(options);
  }

  get isUnused(): boolean {
    return this.#idle.size === 0 && this.#shares.isUnused;
  }

  tryAcquire(owner: Owner): boolean {
    return this.#shares.tryAcquire(owner);
  }

  wait(owner: Owner, limits: WaitLimits): Promise<boolean> {
    return waitForTurn(limits, (onTurn) => this.#shares.wait(owner, onTurn));
  }

  release(owner: Owner): void {
    this.#shares.release(owner);
  }

  /** Needs a connection that was taken. Rejects for errors of this process. */
  exchange(request: RequestToWrite, timeoutMs: number, echo: EchoRedaction): Promise<SendResult> {
    return new Promise((resolve, reject) => {
      const onFree = (connection: Connection): void => this.#idle.put(connection);
      const exchange = new Exchange(request, timeoutMs, echo, { resolve, reject, onFree });
      const idle = this.#idle.take();
      if (idle === undefined) this.#open(exchange);
      else exchange.run(idle);
    });
  }

  sweep(now: number): void {
    this.#idle.sweep(now);
  }

  #open(exchange: Exchange): void {
    const { hostname } = this.#target;
    const steps = new ConnectSteps(isIP(hostname) === 0 ? undefined : hostname);
    const opened = (error: Error | null, socket: Parameters<Parameters<Connector>[1]>[1]): void => {
      if (socket === null) exchange.fail(error ?? new Error('no connection'));
      else exchange.run(new Connection(socket, (closed) => this.#idle.remove(closed)));
    };
    exchange.connecting(steps, hostname, this.#connect(this.#target, opened, steps.onStep));
  }
}
