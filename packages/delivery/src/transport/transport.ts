import { isIP } from 'node:net';
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { redactEcho } from '../redact/redact-echo.ts';
import { isAllowedAddress, type UrlPolicy } from '../ssrf/address-policy.ts';
import { createHostLookup, type HostLookup } from '../ssrf/resolve-host.ts';
import { checkWebhookUrl } from '../ssrf/url-policy.ts';
import { type Connector, createConnector } from './connector.ts';
import { errorMessageOf } from './error-class.ts';
import { evidenceOf } from './evidence.ts';
import { Exchange } from './exchange.ts';
import { Peer } from './peer.ts';
import type { PreparedRequest } from './prepare-request.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import type { SendResult } from './send-result.ts';

/** Connections to one scheme, host and port, where nothing else is asked for. */
export const defaultConnectionsPerOrigin = 128;

export type TransportOptions = {
  readonly policy: UrlPolicy;
  /** Connections to one scheme, host and port. Requests beyond them wait, and their waiting counts as time. */
  readonly connectionsPerOrigin?: number;
  /** DNS, TCP and TLS together; resolution about half a second. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** Everything from `send` to the last byte of the answer. Default 15 s. */
  readonly timeoutMs?: number;
  readonly lookup?: HostLookup;
  /** The only way out, when the installation has one. */
  readonly proxy?: ProxyServer | undefined;
  /** For tests: replaces the address rule that follows from `policy`. */
  readonly isAllowedAddress?: (address: string) => boolean;
  /** Milliseconds on a clock that never jumps. */
  readonly monotonicNow?: () => number;
};

export type Transport = {
  /**
   * Posts a prepared request once: no redirects, no cookies, no proxy but `proxy`, HTTP/1.1 over kept-alive connections.
   * Whatever the receiver does is a value; rejects only when this process is at fault (out of sockets, closed).
   */
  readonly send: (request: PreparedRequest, options?: { readonly timeoutMs?: number }) => Promise<SendResult>;
  /** Waits for what is in flight, then closes every connection. May be called again. */
  readonly close: () => Promise<void>;
};

/** Creates the only way out to webhook endpoints (S21–S23). One per process: it owns the connections. */
export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs = 15_000 } = options;
  const now = options.monotonicNow ?? (() => performance.now());
  const agent = createAgent(options, now);
  const destinationOf = createDestinations(options.policy);

  async function send(request: PreparedRequest, override: { readonly timeoutMs?: number } = {}): Promise<SendResult> {
    const destination = destinationOf(request.url);
    if (destination === undefined) return withEvidence(request, blocked());
    return new Promise((resolve, reject) => {
      agent.dispatch(
        { ...destination, method: 'POST', headers: request.headers, body: request.body },
        new Exchange(override.timeoutMs ?? timeoutMs, redactEcho(request.headers), now, {
          resolve: (result) => resolve(withEvidence(request, result)),
          reject,
        }),
      );
    });
  }

  let closed: Promise<void> | undefined;
  function close(): Promise<void> {
    closed ??= agent.close();
    return closed;
  }

  return { send, close };
}

function createAgent(options: TransportOptions, now: () => number): Agent {
  const { connectionsPerOrigin = defaultConnectionsPerOrigin, connectTimeoutMs = 5_000, policy } = options;
  const connect = createConnector({
    isAllowed: options.isAllowedAddress ?? ((address) => isAllowedAddress(address, policy)),
    lookup: options.lookup ?? createHostLookup(policy),
    connectTimeoutMs,
    proxy: options.proxy,
  });
  // undici's own timeouts watch gaps between bytes; the exchange's deadline watches the whole.
  const clientOptions = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        connections: connectionsPerOrigin,
        allowH2: false,
        factory: (url) => new EndpointClient(url, clientOptions, connect, now),
      }),
  });
}

type Destination = { readonly origin: string; readonly path: string };

const maxCachedDestinations = 4096;

/** Parses and checks each URL once; undefined means that the policy forbids it. */
function createDestinations(policy: UrlPolicy): (url: string) => Destination | undefined {
  const cache = new Map<string, Destination | undefined>();
  return (url) => {
    if (cache.has(url)) return cache.get(url);
    if (cache.size >= maxCachedDestinations) cache.clear();
    const destination = parseDestination(url, policy);
    cache.set(url, destination);
    return destination;
  };
}

function parseDestination(url: string, policy: UrlPolicy): Destination | undefined {
  const check = checkWebhookUrl(url, policy);
  if (!check.ok) return undefined;
  const { origin, pathname, search } = new URL(check.url);
  return { origin, path: pathname + search };
}

function withEvidence(request: PreparedRequest, result: SendResult): SendResult {
  return { ...result, evidence: evidenceOf(request, result) };
}

function blocked(): SendResult {
  return {
    kind: 'error',
    errorClass: 'blocked_address',
    message: errorMessageOf('blocked_address'),
    durationMs: 0,
    sentBytes: 0,
  };
}

/** An undici client, which is one connection, that tells each exchange how the connection was made and where it leads. */
class EndpointClient extends Client {
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
