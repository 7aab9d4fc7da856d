import { DomainError, type IsThrottled, type Principal } from '@finhook/core';
import type { Consumed } from './fixed-windows.ts';
import { createLimiter, type Limiter } from './shared-limiter.ts';
import { type AcquireSlots, type AwaitSlots, createQueuedSlots, createSlots } from './slots.ts';

const USUAL_WINDOW_SECONDS = 2;
const FAILED_AUTH_SECONDS = 60;
/** Per allowed failed authentication. */
const LOGINS_PER_FAILURE = 5;
/** Bodies in transit per in-flight slot: slow senders take no slots, and bounded memory. */
const BODIES_PER_SLOT = 4;
const WAITING_PER_SLOT = 4;
const USUAL_QUEUE_MS = 1_000;

/** Limits; 0 turns one off. */
export interface RateLimitOptions {
  /** Per key and window, or per address where no key is needed. */
  requests: number;
  /** Per account and window. */
  accountRequests: number;
  /** Two seconds by default. */
  windowSeconds?: number;
  /** Per account and process. */
  inFlight: number;
  /** Maximum wait for a slot; a second by default, 0 rejects at once. */
  queueMs?: number;
  /** Per minute and address group. */
  failedAuth: number;
  /** Absent, each process counts for itself. */
  redis?: object | undefined;
}

export type LimitHeaders = Readonly<Record<string, string>>;

type Caller = Pick<Principal, 'keyId' | 'accountId'>;

export interface CountedRequest {
  readonly headers: LimitHeaders;
  readonly refund: () => void;
  /** Seconds until the request may be repeated; staggered per key. */
  readonly nextRetry: () => number;
}

/** The counting methods throw `rate_limited`. */
export interface RateLimits {
  consume(caller: Caller, calls: number): Promise<CountedRequest>;
  consumeOfAddress(ip: string): Promise<LimitHeaders>;
  failedAuth(ip: string): Promise<void>;
  beginLogin(ip: string): Promise<void>;
  /** Counts a guessed code of a device login. */
  guessCode(accountId: string): Promise<void>;
  /** True if the address has no failed authentication left, as far as this process knows. */
  isThrottled: IsThrottled;
  acquire: AwaitSlots;
  receive: AcquireSlots;
}

export class RateLimited extends DomainError {
  readonly headers: LimitHeaders;
  /** `retryAfter` is in seconds; undefined if the key staggers it. */
  constructor(detail: string, retryAfter: number | undefined, headers: LimitHeaders) {
    super('rate_limited', { detail, ...(retryAfter !== undefined && { retryAfter }) });
    this.headers = headers;
  }
}

/** A quota per key and window (draft-ietf-httpapi-ratelimit-headers). */
export function createRateLimits(options: RateLimitOptions): RateLimits {
  const { inFlight, failedAuth, redis, queueMs = USUAL_QUEUE_MS } = options;
  const perMinute = (keyPrefix: string, points: number): Limiter =>
    createLimiter({ keyPrefix, points, duration: FAILED_AUTH_SECONDS, redis });
  const attempts = perMinute('finhook-auth', failedAuth);
  const logins = perMinute('finhook-login', failedAuth * LOGINS_PER_FAILURE);
  const spend = failedAuth === 0 ? async () => undefined : spendPoint;
  const slots = inFlight === 0 ? Number.POSITIVE_INFINITY : inFlight;
  const queue = { length: slots * WAITING_PER_SLOT, waitMs: queueMs };
  return {
    ...createQuotas(options),
    failedAuth: (ip) => spend(attempts, addressGroup(ip), 'Too many failed authentications from this address.'),
    beginLogin: (ip) => spend(logins, addressGroup(ip), 'Too many logins were begun from this address.'),
    guessCode: (accountId) => spend(attempts, accountId, 'Too many codes were tried in this account.'),
    isThrottled: async (ip) => failedAuth !== 0 && attempts.remaining(addressGroup(ip)) === 0,
    acquire: createQueuedSlots(slots, queue, () => tooFew(slots, 'requests in flight')),
    receive: createSlots(slots * BODIES_PER_SLOT, () => tooFew(slots * BODIES_PER_SLOT, 'request bodies in transit')),
  };
}

type Quotas = Pick<RateLimits, 'consume' | 'consumeOfAddress'>;

const uncounted: CountedRequest = { headers: {}, refund: () => undefined, nextRetry: () => 1 };

function createQuotas({
  requests,
  accountRequests,
  redis,
  windowSeconds = USUAL_WINDOW_SECONDS,
}: RateLimitOptions): Quotas {
  const limiter = (keyPrefix: string, points: number): Limiter =>
    createLimiter({ keyPrefix, points, duration: windowSeconds, redis });
  const perKey = limiter('finhook-rate', requests);
  const perAccount = limiter('finhook-rate-account', accountRequests);

  function consumeOfOne(what: 'key' | 'address', id: string, calls: number): Consumed {
    const consumed = perKey.consume(id, calls);
    if (consumed.allowed) return consumed;
    throw tooMany(`This ${what} may make ${requests} requests in ${windowSeconds} s`, consumed, headersOf(consumed));
  }

  function consumeOfAccount({ keyId, accountId }: Caller, calls: number): Consumed | undefined {
    // A key over its own limit uses no quota of its account.
    if (accountRequests === 0 || perKey.remaining(keyId) < calls) return undefined;
    const consumed = perAccount.consume(accountId, calls);
    if (consumed.allowed) return consumed;
    const rule = `The keys of this account may make ${accountRequests} requests together in ${windowSeconds} s`;
    throw tooMany(rule, consumed, headersOf(perKey.consume(keyId, 0)));
  }

  function headersOf({ remaining, endsInMs }: Consumed): LimitHeaders {
    const seconds = inSeconds(endsInMs);
    return {
      'ratelimit-policy': `"default";q=${requests};w=${windowSeconds}`,
      ratelimit: `"default";r=${remaining};t=${seconds}`,
      'x-ratelimit-limit': String(requests),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(seconds),
    };
  }

  return {
    async consume(caller, calls) {
      if (requests === 0) return uncounted;
      const ofAccount = consumeOfAccount(caller, calls);
      const ofKey = consumeOfOne('key', caller.keyId, calls);
      return {
        headers: headersOf(ofKey),
        refund: () => {
          ofKey.refund();
          ofAccount?.refund();
        },
        nextRetry: () => inSeconds(ofKey.retryInMs()),
      };
    },
    consumeOfAddress: async (ip) => (requests === 0 ? {} : headersOf(consumeOfOne('address', addressGroup(ip), 1))),
  };
}

function tooFew(max: number, things: string): RateLimited {
  const detail = `This account may have ${max} ${things} at once, and too few are free for this request. Wait for some to end.`;
  return new RateLimited(detail, undefined, {});
}

async function spendPoint(limits: Limiter, id: string, reason: string): Promise<void> {
  const { allowed, endsInMs } = limits.consume(id, 1);
  if (allowed) return;
  const wait = inSeconds(endsInMs);
  throw new RateLimited(`${reason} Wait ${wait} s.`, wait, {});
}

function inSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

function tooMany(rule: string, { retryInMs }: Consumed, headers: LimitHeaders): RateLimited {
  const wait = inSeconds(retryInMs());
  return new RateLimited(`${rule}. Wait ${wait} s, then continue.`, wait, headers);
}

const IPV6_GROUPS = 8;
const MAPPED_PREFIX = '0:0:0:0:0:ffff';

/** The addresses of one client: an IPv4 address, also IPv4-mapped, or the /64 of an IPv6 address. */
export function addressGroup(ip: string): string {
  // The URL parser rejects anything but IPv6 and writes it in canonical form (RFC 5952).
  const canonical = URL.parse(`http://[${ip.replace(/%.*/, '')}]`)?.hostname.slice(1, -1);
  if (canonical === undefined) return ip;
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(IPV6_GROUPS - head.length - tail.length).fill('0');
  const groups = [...head, ...zeros, ...tail];
  if (groups.slice(0, 6).join(':') !== MAPPED_PREFIX) return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return bytes.flatMap((pair) => [pair >> 8, pair & 255]).join('.');
}
