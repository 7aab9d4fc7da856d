/** docs/architecture.md has a diagram of the modes and their transitions. */
export type Mode =
  /** Nothing is held, in flight or known to be due. */
  | 'idle'
  /** Reads the endpoint. Begins no request and no claim. */
  | 'loading'
  /** The same; a newer version of the row was seen meanwhile, so another read follows. */
  | 'reloading'
  /** Claims, sends and records. */
  | 'sending'
  /** Begins no request and no claim. Attempts that have ended are being recorded. */
  | 'stopped'
  /** They are recorded. The endpoint's health is being stored, or is held back for a notice, so that all workers know it. */
  | 'applying'
  /** Releases unsent deliveries; requests in flight are recorded. */
  | 'closing'
  | 'closed';

type Claim =
  /** No delivery is known to be due. */
  | 'none'
  | 'wanted'
  /** Waits for slots. */
  | 'waiting'
  | 'running'
  /** Deliveries became due during the claim, so another one follows. */
  | 'runningAgain'
  /**
   * The concurrency or the order leaves no room. A claim follows when one of these deliveries ends, is lost or is released,
   * when the endpoint was read again, or when this worker's timer or the reconciler finds due deliveries: then another
   * worker's request may have ended. New deliveries (`poked`) make no room.
   */
  | 'full';

type Health =
  | 'stored'
  /** Outcomes are collected for a moment, or until a notice may be sent. */
  | 'collecting'
  | 'wanted'
  | 'applying';

interface Limits {
  /** True if claims are limited by rate, concurrency, order, pause or circuit breaker. */
  readonly gated: boolean;
  readonly ordered: boolean;
}

/** All that an `Endpoint` decides by. Its deliveries are `ready`, then `inFlight`, then `recording`. */
export interface EndpointState {
  readonly mode: Mode;
  readonly claim: Claim;
  readonly health: Health;
  /** Undefined before it is loaded, and while it is paused, disabled or deleted. */
  readonly limits: Limits | undefined;
  /** What to do with `ready` deliveries. Those that are only released are left to the reconciler. */
  readonly release: 'none' | 'release' | 'releaseAndClaim';
  /** True if a wake-up for the next due delivery is to be scheduled once no other is known to be due. */
  readonly wantsWakeUp: boolean;
  readonly ready: number;
  /** Includes those whose first attempt is recorded before an immediate retry. */
  readonly inFlight: number;
  readonly recording: number;
  /** A read that was begun before `applying` may end in another mode than `loading`. */
  readonly isReading: boolean;
  /** Releases, notes and lookups. */
  readonly tasks: number;
  /**
   * Counts stops, and reads that find the endpoint gated. A claim or request from an earlier epoch must not lead to another
   * request.
   */
  readonly epoch: number;
}

export interface EndpointEvents {
  /** Deliveries may be due. */
  poked: [];
  /** A wake-up has come. */
  woken: [];
  /** The reconciler found due deliveries that no worker holds; it looks about once a second. */
  foundDue: [];
  /** The row has another version than the loaded one. */
  changed: [];
  /** A hand-off brought a delivery. */
  handedOver: [];
  closed: [];
  loaded: [Limits | undefined];
  noSlots: [];
  slotsFreed: [];
  claimed: [ClaimResult];
  claimFailed: [];
  /** A request was not begun. */
  notSent: [{ readonly claimsAgain: boolean }];
  /** The failed attempt is being recorded before an immediate retry. */
  immediateRetry: [];
  immediateRetryRecorded: [{ readonly isHeld: boolean; readonly epoch: number }];
  /** `stops` if other workers must know the result before they send; `isRetried` if the delivery will be due again. */
  attempted: [{ readonly stops: boolean; readonly isRetried: boolean }];
  recorded: [RecordResult];
  healthCollected: [];
  applied: [{ readonly health: Exclude<Health, 'applying'>; readonly mayHaveMore: boolean }];
  taskBegun: [];
  taskEnded: [{ readonly claimsAgain: boolean }];
}

interface ClaimResult {
  readonly found: number;
  /** True if it found as many as it asked for. */
  readonly mayHaveMore: boolean;
  readonly isFull: boolean;
  /** False if the row's version is not the loaded one, so the claim may have skipped due deliveries. */
  readonly isCurrent: boolean;
  readonly gated: boolean;
  /** When it began. */
  readonly epoch: number;
}

interface RecordResult {
  /** False if the lease was lost: the endpoint was deleted, or another worker's result counts. */
  readonly isHeld: boolean;
  /** True if the end of this delivery may open the gate. */
  readonly gated: boolean;
  /** True if outcomes are not stored yet. */
  readonly isPending: boolean;
  readonly isUrgent: boolean;
}

export const newEndpointState: EndpointState = {
  mode: 'idle',
  claim: 'none',
  health: 'stored',
  limits: undefined,
  release: 'none',
  wantsWakeUp: false,
  ready: 0,
  inFlight: 0,
  recording: 0,
  isReading: false,
  tasks: 0,
  epoch: 0,
};

type State = EndpointState;

type Transitions = { readonly [Name in keyof EndpointEvents]: (s: State, ...details: EndpointEvents[Name]) => State };

const transitions: Transitions = {
  poked: claimWanted,
  woken: (s) => claimWanted(notFull({ ...s, wantsWakeUp: true })),
  foundDue: (s) => claimWanted(notFull(s)),
  changed,
  handedOver: (s) => ({ ...s, ready: s.ready + 1 }),
  closed: (s) => ({ ...s, mode: 'closing', epoch: s.epoch + 1 }),
  loaded: (s, limits) => {
    const mode = s.mode === 'loading' ? 'sending' : s.mode === 'reloading' ? 'loading' : s.mode;
    // A claim that was full, or runs, may have met older limits.
    const claim = s.claim === 'running' && s.limits?.gated === true ? 'runningAgain' : s.claim;
    const next = notFull({ ...s, claim, mode, limits, isReading: false });
    if (limits === undefined) return releasing(next, 'release');
    if (!limits.gated || s.limits?.gated === true) return next;
    // Deliveries from before it was gated did not pass its limits, nor did requests that wait for a connection.
    return releasing({ ...next, epoch: s.epoch + 1 }, 'releaseAndClaim');
  },
  noSlots: (s) => ({ ...s, claim: 'waiting' }),
  slotsFreed: (s) => (s.claim === 'waiting' ? { ...s, claim: 'wanted' } : s),
  claimed: (s, { found, mayHaveMore, isFull, isCurrent, gated, epoch }) => {
    const isStale = epoch !== s.epoch || (!gated && s.limits?.gated === true);
    // It met limits that have been lifted since.
    const wasLimited = isFull && s.limits?.gated !== true;
    const claimsAgain = mayHaveMore || s.claim !== 'running' || !isCurrent || isStale || wasLimited;
    const claim = claimsAgain ? 'wanted' : isFull && found + held(s) > 0 ? 'full' : 'none';
    const wantsWakeUp = s.wantsWakeUp || (gated && !mayHaveMore);
    const next: State = { ...s, claim, wantsWakeUp, ready: s.ready + found };
    const known = isCurrent ? next : changed(next);
    return isStale ? releasing(known, 'releaseAndClaim') : known;
  },
  claimFailed: (s) => ({ ...s, claim: s.claim === 'running' ? 'none' : 'wanted' }),
  notSent: (s, { claimsAgain }) =>
    releasing({ ...s, inFlight: s.inFlight - 1, ready: s.ready + 1 }, claimsAgain ? 'releaseAndClaim' : 'release'),
  immediateRetry: (s) => ({ ...s, recording: s.recording + 1 }),
  immediateRetryRecorded: (s, { isHeld, epoch }) => {
    const { inFlight, recording, ready } = s;
    const next = { ...s, inFlight: inFlight - 1, recording: recording - 1, ready: ready + (isHeld ? 1 : 0) };
    const ended = afterRecord(isHeld ? next : leaseLost(next));
    return epoch === s.epoch ? ended : releasing(ended, 'releaseAndClaim');
  },
  attempted: (s, { stops, isRetried }) => {
    const { inFlight, recording, wantsWakeUp } = s;
    const next = { ...s, inFlight: inFlight - 1, recording: recording + 1, wantsWakeUp: wantsWakeUp || isRetried };
    if (!stops) return next;
    const mode = s.mode === 'applying' || isClosing(s) ? s.mode : 'stopped';
    return releasing(claimWanted({ ...next, mode, epoch: s.epoch + 1 }), 'releaseAndClaim');
  },
  recorded: (s, { isHeld, gated, isPending, isUrgent }) => {
    const isNew = isPending && s.health !== 'applying' && s.health !== 'wanted';
    const health = isNew ? (isUrgent ? 'wanted' : 'collecting') : s.health;
    const ended = afterRecord(notFull({ ...s, health, recording: s.recording - 1 }));
    const next = gated ? claimWanted(ended) : ended;
    return isHeld ? next : changed(leaseLost(next));
  },
  healthCollected: (s) => (s.health === 'collecting' ? { ...s, health: 'wanted' } : s),
  applied: (s, { health, mayHaveMore }) => {
    const next: State = { ...s, health };
    const known = mayHaveMore ? claimWanted(next) : next;
    if (s.mode !== 'applying') return changed(known);
    if (s.recording > 0) return { ...known, mode: 'stopped' };
    if (health !== 'stored') return known;
    return { ...known, mode: s.isReading ? 'reloading' : 'loading' };
  },
  taskBegun: (s) => ({ ...s, tasks: s.tasks + 1 }),
  taskEnded: (s, { claimsAgain }) => {
    const next = { ...s, tasks: s.tasks - 1 };
    return claimsAgain ? claimWanted(notFull(next)) : next;
  },
};

/** The state after an event. */
export function transition<Name extends keyof EndpointEvents>(
  state: EndpointState,
  event: Name,
  ...details: EndpointEvents[Name]
): EndpointState {
  return idleIfDone(transitions[event](state, ...details));
}

/** `release` does so with all `ready` deliveries, and `releaseAndClaim` claims afterwards. */
export type Action = 'load' | 'claim' | 'send' | 'release' | 'releaseAndClaim' | 'apply' | 'scheduleWakeUp';

/** The next thing to do, with the state once it has begun; undefined until the next event. `window` limits requests. */
export function nextAction(s: EndpointState, window: number): [Action, EndpointState] | undefined {
  const begin = (action: Action, begun: Partial<State>): [Action, State] => [action, idleIfDone({ ...s, ...begun })];
  const isStray = s.ready > 0 && (s.mode === 'closing' || (s.mode === 'sending' && s.limits === undefined));
  if (s.release !== 'none' || isStray) {
    return begin(s.release === 'release' ? 'release' : 'releaseAndClaim', { release: 'none', ready: 0 });
  }
  // Attempts that end together are stored together: each write with a 429 halves the pace.
  if (s.health === 'wanted' && s.mode !== 'stopped') return begin('apply', { health: 'applying' });
  if (s.mode === 'loading' && !s.isReading) return begin('load', { isReading: true });
  if (s.mode !== 'sending') return undefined;
  if (maySend(s, window)) return begin('send', { ready: s.ready - 1, inFlight: s.inFlight + 1 });
  if (s.claim === 'wanted' && mayClaim(s, window)) return begin('claim', { claim: 'running' });
  return maySchedule(s) ? begin('scheduleWakeUp', { wantsWakeUp: false }) : undefined;
}

export function isBusy({ mode }: EndpointState): boolean {
  return mode !== 'idle' && mode !== 'closed';
}

export function isClosing({ mode }: EndpointState): boolean {
  return mode === 'closing' || mode === 'closed';
}

const held = ({ ready, inFlight, recording }: State): number => ready + inFlight + recording;
const isClaiming = ({ claim }: State): boolean => claim === 'running' || claim === 'runningAgain';

function maySend({ ready, inFlight, recording, limits }: State, window: number): boolean {
  return ready > 0 && inFlight < window && !(limits?.ordered && inFlight + recording > 0);
}

/** Gated deliveries are not claimed ahead of their requests, because a claim counts for the rate and the concurrency. */
function mayClaim({ ready, inFlight, recording, limits }: State, window: number): boolean {
  if (!limits?.gated) return ready < window;
  return ready === 0 && (!limits.ordered || inFlight + recording === 0);
}

function maySchedule(s: State): boolean {
  const isKnown = s.claim === 'none' || s.claim === 'full';
  return s.wantsWakeUp && isKnown && s.limits !== undefined && s.ready + s.recording === 0;
}

/** Another claim follows one that runs. */
function claimWanted(s: State): State {
  const claim = s.claim === 'none' ? 'wanted' : s.claim === 'running' ? 'runningAgain' : s.claim;
  return { ...s, claim };
}

/** A claim that was full may find deliveries now. */
function notFull(s: State): State {
  return s.claim === 'full' ? { ...s, claim: 'wanted' } : s;
}

/** The lease of a delivery was lost. An ordered endpoint sends no other one before it. */
function leaseLost(s: State): State {
  const next = claimWanted(notFull(s));
  return s.limits?.ordered ? releasing(next, 'releaseAndClaim') : next;
}

/** The endpoint has to be read again. After `applying` it is read anyway. */
function changed(s: State): State {
  if (s.mode === 'idle' || s.mode === 'sending') return { ...s, mode: 'loading' };
  return s.mode === 'loading' && s.isReading ? { ...s, mode: 'reloading' } : s;
}

/** `release` claims nothing afterwards, because that would fail again; the reconciler finds them within a second. */
function releasing(s: State, release: 'release' | 'releaseAndClaim'): State {
  const claim = release === 'releaseAndClaim' ? s.claim : isClaiming(s) ? 'running' : 'none';
  return { ...s, claim, release: s.ready > 0 ? release : 'none' };
}

function afterRecord(s: State): State {
  return s.mode === 'stopped' && s.recording === 0
    ? { ...s, mode: 'applying', health: s.health === 'applying' ? 'applying' : 'wanted' }
    : s;
}

/** Chooses between `sending` and `idle`, and between `closing` and `closed`, by what is left to do. */
function idleIfDone(s: State): State {
  const work = held(s) + s.tasks + (s.isReading ? 1 : 0);
  if (isClosing(s)) {
    const claim = isClaiming(s) ? 'running' : 'none';
    const isDone = work === 0 && claim === 'none' && s.health === 'stored';
    return { ...s, claim, wantsWakeUp: false, mode: isDone ? 'closed' : 'closing' };
  }
  const claim = s.claim === 'full' && held(s) === 0 ? 'wanted' : s.claim;
  if (s.mode !== 'idle' && s.mode !== 'sending') return { ...s, claim };
  const isDone = work === 0 && claim === 'none' && s.health === 'stored' && !maySchedule(s);
  return { ...s, claim, mode: isDone ? 'idle' : 'sending' };
}
