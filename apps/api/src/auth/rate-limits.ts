import { DomainError, type IsThrottled, type Principal } from '@finhook/core';
import type { Consumed } from './fixed-windows.ts';
import { createLimiter, type Limiter } from './shared-limiter.ts';
import { type AcquireSlots, type AwaitSlots, createQueuedSlots, createSlots } from './slots.ts';

const USUAL_WINDOW_SECONDS = 2;
const FAILED_AUTH_SECONDS = 60;
/** Logins without a key that an address may begin, for each failed authentication that it may make. */
const LOGINS_PER_FAILURE = 5;
/** Bodies in transit per slot of a request in flight: slow senders take no request slots, and bounded memory. */
const BODIES_PER_SLOT = 4;
/** Requests that may wait for each slot of an account. */
const WAITING_PER_SLOT = 4;
const USUAL_QUEUE_MS = 1_000;

export interface RateLimitOptions {
  /** Requests a key may make in a window, or an address where no key is needed; 0 is off. */
  requests: number;
  /** Requests all keys of an account may make together in a window; 0 is off. */
  accountRequests: number;
  /** Length of the window that requests are counted in, when it is not two seconds. */
  windowSeconds?: number;
  /** Requests an account may have in flight at once in this process; 0 is off. */
  inFlight: number;
  /** Time that a request may wait for one of these, in ms, when it is not a second; 0 rejects at once. */
  queueMs?: number;
  /** Failed authentications of an IPv4 address or an IPv6 /64 in a minute, and codes of an account; 0 is off. */
  failedAuth: number;
  /** Counts shared by all api processes; in this process's memory when absent. */
  redis?: object | undefined;
}

export type LimitHeaders = Readonly<Record<string, string>>;

type Caller = Pick<Principal, 'keyId' | 'accountId'>;

export interface CountedRequest {
  readonly headers: LimitHeaders;
  /** For a request that is rejected later: takes it out of its windows, which bound how often. */
  readonly giveBack: () => void;
  /** Takes the next place in the order in which rejected requests of the key return; the time until then in seconds. */
  readonly takePlace: () => number;
}

export interface RateLimits {
  /**
   * Counts calls of a key and its account. Beyond a limit throws `rate_limited`, with the same headers, and counts
   * nothing.
   */
  consume(caller: Caller, calls: number): Promise<CountedRequest>;
  consumeOfAddress(ip: string): Promise<LimitHeaders>;
  /** Counts a failed authentication of an address; throws `rate_limited` when there were too many. */
  failedAuth(ip: string): Promise<void>;
  /** Counts a begun login of an address, each of which stores a row; throws `rate_limited` when there were too many. */
  beginLogin(ip: string): Promise<void>;
  /** Counts a guess at the code of a device login; throws `rate_limited` when the account has made too many. */
  guessCode(accountId: string): Promise<void>;
  /** True if the address may not fail to authenticate once more for now, as far as this process knows. */
  isThrottled: IsThrottled;
  /** Slots of requests in flight; requests wait for them in a short queue. */
  acquire: AwaitSlots;
  receive: AcquireSlots;
}

export class RateLimited extends DomainError {
  readonly headers: LimitHeaders;
  /** `retryAfter` is in seconds; undefined for a request that is to take a place in the order of its key. */
  constructor(detail: string, retryAfter: number | undefined, headers: LimitHeaders) {
    super('rate_limited', { detail, ...(retryAfter !== undefined && { retryAfter }) });
    this.headers = headers;
  }
}

/** Rate limits as in draft-ietf-httpapi-ratelimit-headers: a quota per key over a window. */
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

const uncounted: CountedRequest = { headers: {}, giveBack: () => undefined, takePlace: () => 1 };

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
    // A key beyond its own limit uses up nothing of its account, and one of a full account nothing of its own.
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
        giveBack: () => {
          ofKey.giveBack();
          ofAccount?.giveBack();
        },
        takePlace: () => inSeconds(ofKey.returnInMs()),
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

function tooMany(rule: string, { returnInMs }: Consumed, headers: LimitHeaders): RateLimited {
  const wait = inSeconds(returnInMs());
  return new RateLimited(`${rule}. Wait ${wait} s, then continue.`, wait, headers);
}

const IPV6_GROUPS = 8;
const MAPPED_PREFIX = '0:0:0:0:0:ffff';

/**
 * The addresses that count as one client: an IPv4 address, also IPv4-mapped, or the /64 of an IPv6 address, which one
 * subscriber has as a whole.
 */
export function addressGroup(ip: string): string {
  // The URL parser rejects what is no IPv6 address and writes every spelling as RFC 5952 does.
  const canonical = URL.parse(`http://[${ip.replace(/%.*/, '')}]`)?.hostname.slice(1, -1);
  if (canonical === undefined) return ip;
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(IPV6_GROUPS - head.length - tail.length).fill('0');
  const groups = [...head, ...zeros, ...tail];
  if (groups.slice(0, 6).join(':') !== MAPPED_PREFIX) return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return bytes.flatMap((pair) => [pair >> 8, pair & 255]).join('.');
}
