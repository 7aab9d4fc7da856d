import { DomainError, type IsThrottled, type Principal } from '@finhook/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { createLimiter, type Limiter } from './shared-limiter.ts';

const USUAL_WINDOW_SECONDS = 2;
const FAILED_AUTH_SECONDS = 60;
/** Logins without a key that an address may begin, for each failed authentication that it may make. */
const LOGINS_PER_FAILURE = 5;
/** Bodies in transit per slot of a request in flight: slow senders take no request slots, and bounded memory. */
const BODIES_PER_SLOT = 4;

export interface RateLimitOptions {
  /** Requests a key may make in a window, or an address where no key is needed; 0 is off. */
  requests: number;
  /** Requests all keys of an account may make together in a window; 0 is off. */
  accountRequests: number;
  /** Length of the window that requests are counted in, when it is not two seconds. */
  windowSeconds?: number;
  /** Requests an account may have in flight at once in this process; 0 is off. */
  inFlight: number;
  /** Failed authentications of an IPv4 address or an IPv6 /64 in a minute, and codes of an account; 0 is off. */
  failedAuth: number;
  /** Counts shared by all api processes; in this process's memory when absent. */
  redis?: object | undefined;
}

export type LimitHeaders = Readonly<Record<string, string>>;

type Caller = Pick<Principal, 'keyId' | 'accountId'>;

export interface RateLimits {
  /** Counts calls of a key and its account; throws `rate_limited`, with the same headers, beyond a limit. */
  consume(caller: Caller, calls: number): Promise<LimitHeaders>;
  consumeOfAddress(ip: string): Promise<LimitHeaders>;
  /** Counts a failed authentication of an address; throws `rate_limited` when there were too many. */
  failedAuth(ip: string): Promise<void>;
  /** Counts a begun login of an address, each of which stores a row; throws `rate_limited` when there were too many. */
  beginLogin(ip: string): Promise<void>;
  /** Counts a guess at the code of a device login; throws `rate_limited` when the account has made too many. */
  guessCode(accountId: string): Promise<void>;
  /** True if `failedAuth` threw for the address recently in this process. */
  isThrottled: IsThrottled;
  acquire: AcquireSlots;
  receive: AcquireSlots;
}

export class RateLimited extends DomainError {
  readonly headers: LimitHeaders;
  constructor(detail: string, retryAfter: number, headers: LimitHeaders) {
    super('rate_limited', { detail, retryAfter });
    this.headers = headers;
  }
}

/** Rate limits as in draft-ietf-httpapi-ratelimit-headers: a quota per key over a window. */
export function createRateLimits(options: RateLimitOptions): RateLimits {
  const { inFlight, redis, windowSeconds = USUAL_WINDOW_SECONDS } = options;
  const limiter = (keyPrefix: string, points: number, duration: number): Limiter =>
    createLimiter({ keyPrefix, points, duration, redis });
  const perKey = limiter('finhook-rate', options.requests, windowSeconds);
  const perAccount = limiter('finhook-rate-account', options.accountRequests, windowSeconds);
  const attempts = limiter('finhook-auth', options.failedAuth, FAILED_AUTH_SECONDS);
  const logins = limiter('finhook-login', options.failedAuth * LOGINS_PER_FAILURE, FAILED_AUTH_SECONDS);
  const throttled = new RateLimiterMemory({ points: 1, duration: FAILED_AUTH_SECONDS });
  const slotsFor = (max: number, things: string): AcquireSlots =>
    createSlots(max === 0 ? Number.POSITIVE_INFINITY : max, () => {
      const detail = `This account may have ${max} ${things} at once, and too few are free for this request. Wait for some to end.`;
      return new RateLimited(detail, 1, {});
    });

  async function consumeOfOne(what: 'key' | 'address', id: string, calls: number): Promise<LimitHeaders> {
    if (options.requests === 0) return {};
    const state = await consumePoints(perKey, id, calls);
    const headers = headersOf(state.res, options.requests, windowSeconds);
    if (state.allowed) return headers;
    throw tooMany(`This ${what} may make ${options.requests} requests in ${windowSeconds} s`, state.res, headers);
  }

  async function consumeOfAccount(accountId: string, calls: number, headers: LimitHeaders): Promise<void> {
    const state = await consumePoints(perAccount, accountId, calls);
    if (state.allowed) return;
    const rule = `The keys of this account may make ${options.accountRequests} requests together in ${windowSeconds} s`;
    throw tooMany(rule, state.res, headers);
  }

  const spend = options.failedAuth === 0 ? async () => undefined : spendPoint;

  return {
    async consume({ keyId, accountId }, calls) {
      const headers = await consumeOfOne('key', keyId, calls);
      // Counted last, so that rejected requests of one key use up none of the account's quota.
      if (options.accountRequests > 0) await consumeOfAccount(accountId, calls, headers);
      return headers;
    },
    consumeOfAddress: (ip) => consumeOfOne('address', addressGroup(ip), 1),
    async failedAuth(ip) {
      const address = addressGroup(ip);
      await spend(attempts, address, 'Too many failed authentications from this address.', (wait) =>
        throttled.block(address, wait),
      );
    },
    beginLogin: (ip) => spend(logins, addressGroup(ip), 'Too many logins were begun from this address.'),
    guessCode: (accountId) => spend(attempts, accountId, 'Too many codes were tried in this account.'),
    isThrottled: async (ip) => (await throttled.get(addressGroup(ip))) !== null,
    acquire: slotsFor(inFlight, 'requests in flight'),
    receive: slotsFor(inFlight * BODIES_PER_SLOT, 'request bodies in transit'),
  };
}

async function spendPoint(
  limits: Limiter,
  id: string,
  reason: string,
  onLimit?: (wait: number) => Promise<unknown>,
): Promise<void> {
  const { allowed, res } = await consumePoints(limits, id, 1);
  if (allowed) return;
  const wait = secondsLeft(res);
  await onLimit?.(wait);
  throw new RateLimited(`${reason} Wait ${wait} s.`, wait, {});
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

function headersOf(state: RateLimiterRes, requests: number, windowSeconds: number): LimitHeaders {
  const seconds = secondsLeft(state);
  const remaining = Math.max(0, state.remainingPoints);
  return {
    'ratelimit-policy': `"default";q=${requests};w=${windowSeconds}`,
    ratelimit: `"default";r=${remaining};t=${seconds}`,
    'x-ratelimit-limit': String(requests),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(seconds),
  };
}

function tooMany(rule: string, state: RateLimiterRes, headers: LimitHeaders): RateLimited {
  const wait = secondsLeft(state);
  return new RateLimited(`${rule}. Wait ${wait} s, then continue.`, wait, headers);
}

// Beyond the limit the library rejects with its state, and with an error if its store failed.
async function consumePoints(
  limits: Limiter,
  key: string,
  points: number,
): Promise<{ allowed: boolean; res: RateLimiterRes }> {
  try {
    return { allowed: true, res: await limits.consume(key, points) };
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return { allowed: false, res: rejection };
    throw rejection;
  }
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

/** Acquires slots of an account, one by default, and returns what releases them; throws when too few are free. */
export type AcquireSlots = (accountId: string, slots?: number) => () => void;

/**
 * A semaphore per account in this process: `max` slots, beyond which it throws. A request for more than `max` slots
 * needs all of them: it is admitted when no other slot is taken.
 */
export function createSlots(max: number, makeError: () => Error): AcquireSlots {
  const taken = new Map<string, number>();
  return (accountId, slots = 1) => {
    const wanted = Math.min(slots, max);
    const count = taken.get(accountId) ?? 0;
    if (count + wanted > max) throw makeError();
    taken.set(accountId, count + wanted);
    return () => {
      const left = (taken.get(accountId) ?? wanted) - wanted;
      if (left === 0) taken.delete(accountId);
      else taken.set(accountId, left);
    };
  };
}
