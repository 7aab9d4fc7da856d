import { isIP } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import type { Connector } from './create-connector.ts';
import { Exchange } from './exchange.ts';
import { Peer } from './peer.ts';

/** An undici client, which is one connection, that tells each exchange how the connection was made and where it leads. */
export class EndpointClient extends Client {
  readonly #peer: Peer;

  constructor(origin: URL, options: Client.Options, connect: Connector, now: () => number) {
    const peer = new Peer(now);
    super(origin, { ...options, connect: rememberPeer(connect, peer) });
    this.#peer = peer;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.peer = this.#peer;
    return super.dispatch(options, handler);
  }
}

function rememberPeer(connect: Connector, peer: Peer): buildConnector.connector {
  return (options, callback) => {
    const onStep = peer.begin(isIP(options.hostname) === 0 ? undefined : options.hostname);
    connect(
      options,
      (...result) => {
        peer.address = result[1]?.remoteAddress ?? peer.address;
        callback(...result);
      },
      onStep,
    );
  };
}
