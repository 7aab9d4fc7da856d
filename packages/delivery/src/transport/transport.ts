import type { Owner } from '../http1/connection-shares.ts';
import { requestHead } from '../http1/request-head.ts';
import { redactEcho } from '../redact/redact-echo.ts';
import { createAddressCheck, createHostLookup, type HostLookup, type UrlPolicy } from '../ssrf/resolve-host.ts';
import { checkWebhookUrl } from '../ssrf/url-policy.ts';
import { createConnector } from './connector.ts';
import { errorMessageOf } from './error-class.ts';
import type { ConnectTarget } from './open-socket.ts';
import { Origin, type OriginOptions } from './origin.ts';
import type { PreparedRequest } from './prepare-request.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import { evidenceOf, type SendResult } from './send-result.ts';
import { NotBegunError, type WaitLimits } from './waits.ts';

const defaultConnectionsPerOrigin = 256;
const defaultMaxAgeMs = 60_000;
const defaultIdleMs = 4_000;
const sweepMs = 1_000;

export type TransportOptions = {
  readonly policy: UrlPolicy;
  /** Maximum per scheme, host and port. An account holds at most half, an endpoint a quarter while another waits. */
  readonly connectionsPerOrigin?: number;
  /** Limits how long an old address of a name is used. Default 60 s. */
  readonly connectionMaxAgeMs?: number;
  /** For DNS, TCP and TLS together. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** From connecting, or taking an open connection, to the last byte of the response. */
  readonly timeoutMs: number;
  readonly lookup?: HostLookup;
  readonly proxy?: ProxyServer | undefined;
  /** For tests: replaces the rule of `policy`. */
  readonly isAllowedAddress?: (address: string) => boolean;
};

/** A request that is prepared once there is a connection to the host of `url`. `send` rejects if `prepare` does. */
type RequestToPrepare = { readonly url: string; readonly prepare: () => PreparedRequest | Promise<PreparedRequest> };

export type SendOptions = WaitLimits & {
  readonly timeoutMs?: number | undefined;
  readonly owner?: Owner | undefined;
};

export type Transport = {
  /**
   * Follows no redirect. Errors of the receiver are values; rejects only for errors of this process (out of sockets,
   * closed), and with NotBegunError.
   */
  readonly send: (request: PreparedRequest | RequestToPrepare, options?: SendOptions) => Promise<SendResult>;
  /** Waits for requests in flight, then closes all connections. Idempotent. */
  readonly close: () => Promise<void>;
};

const nobody: Owner = { endpointId: '', accountId: '' };

/** Creates the client for webhook endpoints. One per process: it owns the connections. */
export function createTransport(options: TransportOptions): Transport {
  const parseRequestUrl = createUrlParser(options.policy);
  const origins = createOrigins(options);
  const idle = Promise.withResolvers<void>();
  let isClosing = false;
  let inFlight = 0;

  async function send(request: PreparedRequest | RequestToPrepare, over: SendOptions = {}): Promise<SendResult> {
    if (isClosing) throw new Error('The transport is closed.');
    const target = parseRequestUrl(request.url);
    if (target === undefined) return withEvidence(await prepared(request), blocked());
    const { owner = nobody, timeoutMs = options.timeoutMs } = over;
    const origin = origins.of(target);
    inFlight += 1;
    try {
      if (!origin.tryAcquire(owner) && !(await origin.wait(owner, over)))
        throw new NotBegunError('all connections that the endpoint may use are busy');
      try {
        return await exchange(origin, target, await prepared(request), timeoutMs);
      } finally {
        origin.release(owner);
      }
    } finally {
      inFlight -= 1;
      if (isClosing && inFlight === 0) idle.resolve();
    }
  }

  function close(): Promise<void> {
    isClosing = true;
    if (inFlight === 0) idle.resolve();
    return idle.promise.then(origins.close);
  }

  return { send, close };
}

async function exchange(
  origin: Origin,
  { path, authority }: RequestUrl,
  request: PreparedRequest,
  timeoutMs: number,
): Promise<SendResult> {
  const { headers, body } = request;
  const bodyBytes = body.byteLength;
  const head = requestHead({ method: 'POST', path, authority, headers, bodyBytes, connection: 'keep-alive' });
  return withEvidence(request, await origin.exchange({ head, body }, timeoutMs, redactEcho(headers)));
}

function prepared(request: PreparedRequest | RequestToPrepare): PreparedRequest | Promise<PreparedRequest> {
  return 'prepare' in request ? request.prepare() : request;
}

function createOrigins(options: TransportOptions) {
  const originOptions = originOptionsOf(options);
  const origins = new Map<string, Origin>();
  let timer: NodeJS.Timeout | undefined;
  const sweep = (now: number): void => {
    for (const [key, origin] of origins) {
      origin.sweep(now);
      if (origin.isUnused) origins.delete(key);
    }
    if (origins.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    of({ origin: key, target }: RequestUrl): Origin {
      const known = origins.get(key);
      if (known !== undefined) return known;
      timer ??= setInterval(() => sweep(performance.now()), sweepMs);
      const origin = new Origin(target, originOptions);
      origins.set(key, origin);
      return origin;
    },
    close: () => sweep(Number.POSITIVE_INFINITY),
  };
}

function originOptionsOf(options: TransportOptions): OriginOptions {
  const { connectTimeoutMs = 5_000, policy } = options;
  return {
    connections: options.connectionsPerOrigin ?? defaultConnectionsPerOrigin,
    maxAgeMs: options.connectionMaxAgeMs ?? defaultMaxAgeMs,
    idleMs: defaultIdleMs,
    connect: createConnector({
      isAllowed: options.isAllowedAddress ?? createAddressCheck(policy),
      lookup: options.lookup ?? createHostLookup(policy),
      connectTimeoutMs,
      proxy: options.proxy,
    }),
  };
}

type RequestUrl = {
  readonly origin: string;
  readonly path: string;
  readonly authority: string;
  readonly target: ConnectTarget;
};

const maxCachedUrls = 4096;

/** Cached; undefined for a URL that the policy blocks. */
function createUrlParser(policy: UrlPolicy): (url: string) => RequestUrl | undefined {
  const cache = new Map<string, RequestUrl | undefined>();
  return (url) => {
    if (cache.has(url)) return cache.get(url);
    if (cache.size >= maxCachedUrls) cache.clear();
    const check = checkWebhookUrl(url, policy);
    const target = check.ok ? requestUrlOf(check.url) : undefined;
    cache.set(url, target);
    return target;
  };
}

export function requestUrlOf(text: string): RequestUrl {
  const { origin, pathname, search, host, hostname, protocol, port } = new URL(text);
  const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port };
  return { origin, path: pathname + search, authority: host, target };
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
