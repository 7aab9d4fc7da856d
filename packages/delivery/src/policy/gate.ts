/** What bounds the sends to one endpoint, at one moment. Times are milliseconds since the epoch, on one clock. */
export type GateState = {
  readonly rateLimit: { readonly requests: number; readonly perSeconds: number } | undefined;
  /** Requests a second that an endpoint gets which asked for less load. */
  readonly pacedTo: number | undefined;
  readonly maxConcurrency: number | undefined;
  /** One at a time, in the order of the feed. */
  readonly ordered: boolean;
  readonly breakerOpen: boolean;
  readonly nextProbeAt: number | undefined;
  /** Nothing is sent by itself before this moment (Retry-After). */
  readonly holdUntil: number | undefined;
  /** When a probe was last let through; a probe that never came to an end counts for `probeMs`. */
  readonly probedAt: number | undefined;
  readonly probeMs: number;
  /** The bucket as it was left; a new one is undefined. */
  readonly tokens: number | undefined;
  readonly tokensAt: number | undefined;
  /** Deliveries that workers hold now. */
  readonly held: number;
};

type GateReason = 'hold' | 'breaker' | 'concurrency' | 'rate';

export type GateVerdict = {
  /** Deliveries that may be claimed, manual ones included. */
  readonly room: number;
  /** Of these, at most so many that nobody asked for by hand. */
  readonly automatic: number;
  /** What bounds them. */
  readonly reason: GateReason;
  /** Milliseconds until automatic deliveries may be claimed; undefined when only the end of another one opens it. */
  readonly opensInMs: number | undefined;
  /** The bucket now, before anything is taken. */
  readonly tokens: number;
  /** Whether an automatic delivery that is claimed is the probe of an open breaker. */
  readonly probe: boolean;
};

/** Requests a second that the endpoint may get; Infinity without a bound. */
function rateOf({ rateLimit, pacedTo }: Pick<GateState, 'rateLimit' | 'pacedTo'>): number {
  const limit = rateLimit === undefined ? Number.POSITIVE_INFINITY : rateLimit.requests / rateLimit.perSeconds;
  return Math.min(limit, pacedTo ?? Number.POSITIVE_INFINITY);
}

/**
 * How much may be claimed for an endpoint now. The bucket holds what one second brings and one request more, so that
 * requests are spread over the limit's span, and a wake-up that is a little late loses nothing. A hold and an open
 * breaker stop what is sent by itself, and nothing else; when a probe's time has come, one passes.
 */
export function decideGate(state: GateState, now: number): GateVerdict {
  const rate = rateOf(state);
  const tokens = refill(state, rate, now);
  const free = freePlaces(state);
  // A token that came to 0.999… by rounding is one. A debt, whoever made it, leaves no room.
  const whole = Math.max(0, Math.floor(tokens + 1e-9));
  // The pace is the service's own caution: one delivery that a person asked for may borrow the next token of it.
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
  // Looking for each token by itself would cost more than what is sent.
  const worthwhile = Math.max(1, Math.min(rate / 10, free));
  const opensInMs = tokens >= worthwhile ? 0 : Math.ceil(((worthwhile - tokens) / rate) * 1000);
  return { ...verdict, automatic: passes, reason: passes < free ? 'rate' : 'concurrency', opensInMs };
}

/** What is leased ahead for an ordered endpoint is sent one after the other by the worker that holds it. */
function freePlaces({ ordered, maxConcurrency = Number.POSITIVE_INFINITY, held }: GateState): number {
  if (ordered) return held > 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.max(0, maxConcurrency - held);
}

function refill({ tokens, tokensAt }: GateState, rate: number, now: number): number {
  if (rate === Number.POSITIVE_INFINITY) return rate;
  const elapsedMs = tokensAt === undefined ? 0 : Math.max(0, now - tokensAt);
  return Math.min(rate + 1, (tokens ?? 1) + (elapsedMs / 1000) * rate);
}

/** Why nothing automatic may be sent now, and for how long. */
function closedFor(state: GateState, now: number): { reason: GateReason; ms: number } | undefined {
  if (state.holdUntil !== undefined && state.holdUntil > now) return { reason: 'hold', ms: state.holdUntil - now };
  if (!state.breakerOpen) return undefined;
  const due = state.nextProbeAt ?? 0;
  if (due > now) return { reason: 'breaker', ms: due - now };
  // The one of this turn is under way, or its worker died.
  const { probedAt } = state;
  if (probedAt === undefined || probedAt < due || probedAt + state.probeMs <= now) return undefined;
  return { reason: 'breaker', ms: probedAt + state.probeMs - now };
}
