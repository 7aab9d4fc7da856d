/** The limits of an endpoint and their use at one moment. Times are milliseconds since the epoch, on one clock. */
export type GateState = {
  readonly rateLimit: { readonly requests: number; readonly perSeconds: number } | undefined;
  /** Reduced request rate per second, after a 429, 502, 503 or 504. */
  readonly pacedTo: number | undefined;
  readonly maxConcurrency: number | undefined;
  /** One request at a time, in the order of the feed. */
  readonly ordered: boolean;
  readonly breakerOpen: boolean;
  readonly nextProbeAt: number | undefined;
  /** No automatic attempt before this moment (Retry-After). */
  readonly holdUntil: number | undefined;
  /** When the last probe was claimed; one without a result counts for `probeMs`. */
  readonly probedAt: number | undefined;
  readonly probeMs: number;
  /** The token bucket after the last claim; undefined before the first. */
  readonly tokens: number | undefined;
  readonly tokensAt: number | undefined;
  /** Deliveries that workers hold leases of. */
  readonly held: number;
};

type GateReason = 'hold' | 'breaker' | 'concurrency' | 'rate';

export type GateVerdict = {
  /** Deliveries that may be claimed, including manual ones. */
  readonly room: number;
  /** The automatic ones among them, at most. */
  readonly automatic: number;
  /** The limit that applies. */
  readonly reason: GateReason;
  /** Milliseconds until automatic deliveries may be claimed; undefined if that depends on the end of a request in flight. */
  readonly opensInMs: number | undefined;
  /** The token bucket now, before the claim. */
  readonly tokens: number;
  /** Whether a claimed automatic delivery probes an open breaker. */
  readonly probe: boolean;
};

/** Requests per second; Infinity without a limit. */
function rateOf({ rateLimit, pacedTo }: Pick<GateState, 'rateLimit' | 'pacedTo'>): number {
  const limit = rateLimit === undefined ? Number.POSITIVE_INFINITY : rateLimit.requests / rateLimit.perSeconds;
  return Math.min(limit, pacedTo ?? Number.POSITIVE_INFINITY);
}

/**
 * How many deliveries of an endpoint may be claimed now. The bucket holds what one second adds and one token more, so that
 * requests are spread over the limit's period, and a late wake-up loses nothing. Retry-After and an open breaker stop only
 * automatic attempts; a probe passes when its time has come.
 */
export function decideGate(state: GateState, now: number): GateVerdict {
  const rate = rateOf(state);
  const tokens = refill(state, rate, now);
  const free = freeSlots(state);
  // 0.999… is a whole token that was rounded. A negative balance leaves no room.
  const whole = Math.max(0, Math.floor(tokens + 1e-9));
  // The reduced rate is the service's own caution, so one manual delivery may borrow its next token.
  const borrowed = rate === state.pacedTo && whole === 0 && tokens >= 0 ? 1 : 0;
  const passes = Math.min(free, whole);
  const verdict = { room: Math.min(free, whole + borrowed), tokens, probe: state.breakerOpen };
  const closed = closedFor(state, now);
  if (closed !== undefined) return { ...verdict, automatic: 0, reason: closed.reason, opensInMs: closed.ms };
  if (state.breakerOpen) {
    const automatic = state.held > 0 ? 0 : Math.min(1, passes);
    return { ...verdict, automatic, reason: 'breaker', opensInMs: automatic > 0 ? 0 : undefined };
  }
  if (free === 0) return { ...verdict, automatic: 0, reason: 'concurrency', opensInMs: undefined };
  // A claim for each single token would cost more than the request.
  const worthwhile = Math.max(1, Math.min(rate / 10, free));
  const opensInMs = tokens >= worthwhile ? 0 : Math.ceil(((worthwhile - tokens) / rate) * 1000);
  return { ...verdict, automatic: passes, reason: passes < free ? 'rate' : 'concurrency', opensInMs };
}

/** Leases of an ordered endpoint are held by one worker, which sends one after the other. */
function freeSlots({ ordered, maxConcurrency = Number.POSITIVE_INFINITY, held }: GateState): number {
  if (ordered) return held > 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.max(0, maxConcurrency - held);
}

function refill({ tokens, tokensAt }: GateState, rate: number, now: number): number {
  if (rate === Number.POSITIVE_INFINITY) return rate;
  const elapsedMs = tokensAt === undefined ? 0 : Math.max(0, now - tokensAt);
  return Math.min(rate + 1, (tokens ?? 1) + (elapsedMs / 1000) * rate);
}

/** Why no automatic attempt may be made now, and for how long. */
function closedFor(state: GateState, now: number): { reason: GateReason; ms: number } | undefined {
  if (state.holdUntil !== undefined && state.holdUntil > now) return { reason: 'hold', ms: state.holdUntil - now };
  if (!state.breakerOpen) return undefined;
  const due = state.nextProbeAt ?? 0;
  if (due > now) return { reason: 'breaker', ms: due - now };
  // This probe is in flight, or its worker died.
  const { probedAt } = state;
  if (probedAt === undefined || probedAt < due || probedAt + state.probeMs <= now) return undefined;
  return { reason: 'breaker', ms: probedAt + state.probeMs - now };
}
