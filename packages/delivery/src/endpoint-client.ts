import { type buildConnector, Client, type Dispatcher } from 'undici';
import { Exchange, type Peer } from './exchange.ts';

/** An undici client, which is one connection, that tells each exchange which address it is connected to. */
export class EndpointClient extends Client {
  readonly #peer: Peer;

  constructor(origin: URL, options: Client.Options, connect: buildConnector.connector) {
    const peer: Peer = { address: undefined };
    super(origin, { ...options, connect: rememberPeer(connect, peer) });
    this.#peer = peer;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.peer = this.#peer;
    return super.dispatch(options, handler);
  }
}

function rememberPeer(connect: buildConnector.connector, peer: Peer): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      peer.address = result[1]?.remoteAddress;
      callback(...result);
    });
}
