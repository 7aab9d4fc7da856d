import { isIP } from 'node:net';
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { redactEcho } from '../redact/redact-echo.ts';
import { createHostLookup, type HostLookup, isAllowedAddress, type UrlPolicy } from '../ssrf/resolve-host.ts';
import { checkWebhookUrl } from '../ssrf/url-policy.ts';
import { type Connector, createConnector } from './connector.ts';
import { errorMessageOf } from './error-class.ts';
import { Exchange } from './exchange.ts';
import { Peer } from './peer.ts';
import type { PreparedRequest } from './prepare-request.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import { evidenceOf, type SendResult } from './send-result.ts';

const defaultConnectionsPerOrigin = 128;

export type TransportOptions = {
  readonly policy: UrlPolicy;
  /** Connections to one scheme, host and port. Requests queue for a free one; the wait counts towards `timeoutMs`. */
  readonly connectionsPerOrigin?: number;
  /** DNS, TCP and TLS together; resolution about half a second. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** From `send` to the last byte of the response. */
  readonly timeoutMs: number;
  readonly lookup?: HostLookup;
  readonly proxy?: ProxyServer | undefined;
  /** For tests: replaces the address rule that follows from `policy`. */
  readonly isAllowedAddress?: (address: string) => boolean;
};

export type Transport = {
  /**
   * Posts a request once over HTTP/1.1 with keep-alive; follows no redirect and keeps no cookie. Errors of the receiver
   * are values; rejects only for errors of this process (out of sockets, closed).
   */
  readonly send: (request: PreparedRequest, options?: { readonly timeoutMs?: number }) => Promise<SendResult>;
  /** Waits for requests in flight, then closes every connection. May be called again. */
  readonly close: () => Promise<void>;
};

/** Creates the client for webhook endpoints (S21–S23). One per process: it owns the connections. */
export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs } = options;
  const agent = createAgent(options);
  const parseRequestUrl = createUrlParser(options.policy);

  async function send(request: PreparedRequest, override: { readonly timeoutMs?: number } = {}): Promise<SendResult> {
    const target = parseRequestUrl(request.url);
    if (target === undefined) return withEvidence(request, blocked());
    return new Promise((resolve, reject) => {
      agent.dispatch(
        { ...target, method: 'POST', headers: request.headers, body: request.body },
        new Exchange(override.timeoutMs ?? timeoutMs, redactEcho(request.headers), {
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

function createAgent(options: TransportOptions): Agent {
  const { connectionsPerOrigin = defaultConnectionsPerOrigin, connectTimeoutMs = 5_000, policy } = options;
  const connect = createConnector({
    isAllowed: options.isAllowedAddress ?? ((address) => isAllowedAddress(address, policy)),
    lookup: options.lookup ?? createHostLookup(policy),
    connectTimeoutMs,
    proxy: options.proxy,
  });
  // undici's own timeouts limit gaps between bytes; the exchange's deadline limits the whole.
  const clientOptions = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        connections: connectionsPerOrigin,
        allowH2: false,
        factory: (url) => new EndpointClient(url, clientOptions, connect),
      }),
  });
}

type RequestUrl = { readonly origin: string; readonly path: string };

const maxCachedUrls = 4096;

/** Parses and checks each URL once; undefined for a URL that the policy blocks. */
function createUrlParser(policy: UrlPolicy): (url: string) => RequestUrl | undefined {
  const cache = new Map<string, RequestUrl | undefined>();
  return (url) => {
    if (cache.has(url)) return cache.get(url);
    if (cache.size >= maxCachedUrls) cache.clear();
    const target = parseUrl(url, policy);
    cache.set(url, target);
    return target;
  };
}

function parseUrl(url: string, policy: UrlPolicy): RequestUrl | undefined {
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

/** An undici client, which is one connection, that passes the connection's address and timings to each exchange. */
class EndpointClient extends Client {
  readonly #peer: Peer;

  constructor(origin: URL, options: Client.Options, connect: Connector) {
    const peer = new Peer();
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
