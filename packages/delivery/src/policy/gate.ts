/** Times are milliseconds since the epoch, of one clock. */
export type GateState = {
  /** Requests per second. */
  readonly rateLimit: number | null;
  /** Reduced rate per second, after a 429, 502, 503 or 504. */
  readonly pacedTo: number | null;
  readonly maxConcurrency: number | null;
  readonly ordered: boolean;
  readonly breakerOpen: boolean;
  readonly nextProbeAt: number | null;
  /** From Retry-After: no automatic attempt before. */
  readonly holdUntil: number | null;
  /** When the last probe was claimed. Without a result it counts as in flight for `probeMs`. */
  readonly probedAt: number | null;
  /** The token bucket after the last claim; null before the first. */
  readonly tokens: number | null;
  readonly tokensAt: number | null;
  readonly held: number;
};

type GateReason = 'hold' | 'breaker' | 'concurrency' | 'rate';

export type GateVerdict = {
  /** Deliveries that may be claimed, manual ones included. */
  readonly room: number;
  readonly automatic: number;
  readonly reason: GateReason;
  /** Milliseconds until automatic deliveries may be claimed; undefined if they wait for a request in flight. */
  readonly opensInMs: number | undefined;
  readonly tokens: number;
  readonly probe: boolean;
};

/**
 * Limits the next claim. The bucket holds the tokens of one second and one more, so that a late wake-up loses nothing.
 * Retry-After and an open breaker stop only automatic attempts.
 */
export function decideGate(state: GateState, now: number, probeMs: number): GateVerdict {
  const rate = Math.min(state.rateLimit ?? Number.POSITIVE_INFINITY, state.pacedTo ?? Number.POSITIVE_INFINITY);
  const tokens = refill(state, rate, now);
  const free = freeSlots(state);
  // 0.999… is a rounded token.
  const whole = Math.max(0, Math.floor(tokens + 1e-9));
  // The reduced rate is our own precaution, so one manual delivery may borrow a token.
  const borrowed = rate === state.pacedTo && whole === 0 && tokens >= 0 ? 1 : 0;
  const passes = Math.min(free, whole);
  const verdict = { room: Math.min(free, whole + borrowed), tokens, probe: state.breakerOpen };
  const closed = closedFor(state, now, probeMs);
  if (closed !== undefined) return { ...verdict, automatic: 0, reason: closed.reason, opensInMs: closed.ms };
  if (state.breakerOpen) {
    const automatic = state.held > 0 ? 0 : Math.min(1, passes);
    return { ...verdict, automatic, reason: 'breaker', opensInMs: automatic > 0 ? 0 : undefined };
  }
  if (free === 0) return { ...verdict, automatic: 0, reason: 'concurrency', opensInMs: undefined };
  // Claiming each token separately would cost more than the request.
  const worthwhile = Math.max(1, Math.min(rate / 10, free));
  const opensInMs = tokens >= worthwhile ? 0 : Math.ceil(((worthwhile - tokens) / rate) * 1000);
  return { ...verdict, automatic: passes, reason: passes < free ? 'rate' : 'concurrency', opensInMs };
}

/** Only one worker leases deliveries of an ordered endpoint, and sends them in order. */
function freeSlots({ ordered, maxConcurrency, held }: GateState): number {
  if (ordered) return held > 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.max(0, (maxConcurrency ?? Number.POSITIVE_INFINITY) - held);
}

function refill({ tokens, tokensAt }: GateState, rate: number, now: number): number {
  if (rate === Number.POSITIVE_INFINITY) return rate;
  const elapsedMs = tokensAt === null ? 0 : Math.max(0, now - tokensAt);
  return Math.min(rate + 1, (tokens ?? 1) + (elapsedMs / 1000) * rate);
}

function closedFor(state: GateState, now: number, probeMs: number): { reason: GateReason; ms: number } | undefined {
  if (state.holdUntil !== null && state.holdUntil > now) return { reason: 'hold', ms: state.holdUntil - now };
  if (!state.breakerOpen) return undefined;
  const due = state.nextProbeAt ?? 0;
  if (due > now) return { reason: 'breaker', ms: due - now };
  // The probe is in flight, or its worker died.
  const { probedAt } = state;
  if (probedAt === null || probedAt < due || probedAt + probeMs <= now) return undefined;
  return { reason: 'breaker', ms: probedAt + probeMs - now };
}
