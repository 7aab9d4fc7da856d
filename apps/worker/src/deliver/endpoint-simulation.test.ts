// Risk: an order of results in which an endpoint loses a delivery that it holds, sends while it must wait, or has work and
// rests.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Action,
  type EndpointEvents,
  type EndpointState,
  isBusy,
  isClosing,
  newEndpointState,
  nextAction,
  transition,
} from './endpoint-state.ts';

/** An open endpoint twice as often as a gated, an ordered or a paused one. */
const drawnLimits: ReadonlyArray<EndpointState['limits']> = [
  { gated: false, ordered: false },
  { gated: false, ordered: false },
  { gated: true, ordered: false },
  { gated: true, ordered: true },
  undefined,
];

type EndingKind = 'load' | 'claim' | 'connect' | 'request' | 'immediateRetry' | 'record' | 'apply' | 'task' | 'slots';

interface Ending {
  readonly kind: EndingKind;
  readonly flag: boolean;
  readonly epoch: number;
  /** True if the endpoint stopped since the claim, or since the request was given to the transport. */
  readonly isStale: boolean;
}

/**
 * An endpoint whose effects end in any order and with any result. `draws` decides; when they are used up each result is
 * the simplest one, and nothing new happens.
 */
class Simulation {
  state = newEndpointState;
  /** Deliveries by stage, counted apart from the state. */
  readonly held = { ready: 0, inFlight: 0, recording: 0 };
  readonly #window: number;
  readonly #draws: number[];
  #endings: Ending[] = [];
  /** True from a poke until a claim begins, or until the endpoint is left. */
  isDue = false;
  outcomes = 0;
  #mustApply = false;
  #mustLoad = false;
  /** Ready deliveries that were claimed or recorded before the endpoint stopped. */
  #stale = 0;
  /** True if the gate may have room since the last claim began. */
  #hasRoom = false;

  constructor(draws: readonly number[]) {
    this.#draws = [...draws];
    this.#window = 1 + this.#draw(3);
  }

  #draw(sides: number): number {
    return (this.#draws.shift() ?? 0) % sides;
  }

  get isOver(): boolean {
    return this.#draws.length === 0 && this.#endings.length === 0 && this.state.health !== 'collecting';
  }

  /** Something new, or the end of an effect. */
  step(): void {
    const choices = this.#draws.length === 0 ? 0 : 8;
    const pick = this.#draw(choices + this.#endings.length + (this.state.health === 'collecting' ? 1 : 0) || 1);
    if (pick < choices) this.#surprise(pick);
    else {
      const [ending] = this.#endings.splice(pick - choices, 1);
      if (ending === undefined) this.#on('healthCollected');
      else this.#end(ending);
    }
  }

  #surprise(pick: number): void {
    if (pick === 0) this.#on('changed');
    else if (pick === 1) this.#on('slotsFreed');
    else if (pick === 2) this.#due('woken');
    else if (pick === 3 && this.#draw(8) === 1) {
      this.#on('closed');
      this.isDue = false;
    } else if (pick < 6) this.#due(pick === 4 ? 'foundDue' : 'poked');
    else if (!isClosing(this.state) && !this.state.limits?.gated) {
      if (this.state.limits === undefined) this.#on('changed');
      this.held.ready += 1;
      this.#on('handedOver');
    }
  }

  #due(name: 'poked' | 'woken' | 'foundDue'): void {
    if (name !== 'poked') this.#hasRoom = true;
    this.isDue = !isClosing(this.state);
    this.#on(name);
  }

  #begin(kind: EndingKind, flag = false): void {
    this.#endings.push({ kind, flag, epoch: this.state.epoch, isStale: false });
  }

  #on<Name extends keyof EndpointEvents>(name: Name, ...details: EndpointEvents[Name]): void {
    this.state = transition(this.state, name, ...details);
    for (let next = nextAction(this.state, this.#window); next; next = nextAction(this.state, this.#window)) {
      const before = this.state;
      this.state = next[1];
      this.#perform(next[0], before);
    }
    const { ready, inFlight, recording } = this.state;
    expect({ ready, inFlight, recording: recording - this.#immediateRetries }).toEqual(this.held);
    if (this.#hasRoom) expect(this.state.claim).not.toBe('full');
    if (!isBusy(this.state)) {
      const endings = this.#endings.filter(({ kind }) => kind !== 'slots');
      expect([endings, this.outcomes, this.held.ready]).toEqual([[], 0, 0]);
    }
    if (this.state.mode === 'stopped') expect(recording).toBeGreaterThan(0);
  }

  get #immediateRetries(): number {
    return this.#endings.filter(({ kind }) => kind === 'immediateRetry').length;
  }

  #perform(action: Action, before: EndpointState): void {
    if (action === 'load') this.#begin('load', !this.#mustApply);
    else if (action === 'apply') {
      if (this.#mustApply && !isClosing(before)) expect(before.recording).toBe(0);
      this.#begin('apply');
    } else if (action === 'claim') this.#claim(before);
    else if (action === 'send') this.#send(before);
    else if (action === 'scheduleWakeUp') this.#track(false);
    else {
      expect(this.held.ready).toBe(before.ready);
      this.held.ready = 0;
      this.#stale = 0;
      // No claim follows: the reconciler finds what is due, and what has room.
      if (action === 'release') {
        this.isDue = false;
        this.#hasRoom = false;
      }
      this.#track(action === 'releaseAndClaim');
    }
  }

  #track(claimsAgain: boolean): void {
    this.#begin('task', claimsAgain);
    this.#on('taskBegun');
  }

  #claim({ mode, claim, limits }: EndpointState): void {
    expect([mode, claim]).toEqual(['sending', 'wanted']);
    if (this.#draw(5) === 4) {
      this.#begin('slots');
      return this.#on('noSlots');
    }
    this.isDue = false;
    this.#hasRoom = false;
    this.#begin('claim', limits?.gated === true);
  }

  #send({ mode, limits, inFlight, recording }: EndpointState): void {
    expect([mode, this.#mustApply, this.#mustLoad, this.#stale]).toEqual(['sending', false, false, 0]);
    expect(inFlight).toBeLessThan(this.#window);
    if (limits?.ordered) expect(inFlight + recording).toBe(0);
    expect(limits).toBeDefined();
    if (this.#draw(6) === 5) return this.#on('notSent', { claimsAgain: true });
    this.held.ready -= 1;
    this.held.inFlight += 1;
    this.#begin('connect');
  }

  #end(ending: Ending): void {
    const { kind, flag, epoch, isStale } = ending;
    if (kind === 'task') this.#endTask(flag && this.#draw(5) < 4);
    else if (kind === 'slots') this.#on('slotsFreed');
    else if (kind === 'load') this.#endLoad(flag);
    else if (kind === 'claim') this.#endClaim(ending);
    else if (kind === 'connect') this.#endConnect(ending);
    else if (kind === 'request') this.#endRequest(ending);
    else if (kind === 'apply') this.#endApply();
    else if (kind === 'record') {
      this.held.recording -= 1;
      this.#hasRoom = true;
      const isHeld = this.#draw(4) < 3;
      if (isHeld) this.outcomes += this.#draw(2);
      const isPending = this.outcomes > 0;
      const isUrgent = this.#draw(2) === 1;
      this.#on('recorded', { isHeld, gated: this.state.limits?.gated === true, isPending, isUrgent });
    } else {
      const isHeld = this.#draw(3) < 2;
      this.held.inFlight -= 1;
      if (isHeld) {
        this.held.ready += 1;
        if (isStale) this.#stale += 1;
      } else this.#hasRoom = true;
      this.#on('immediateRetryRecorded', { isHeld, epoch });
    }
  }

  #endTask(claimsAgain: boolean): void {
    if (claimsAgain) {
      this.isDue = !isClosing(this.state);
      this.#hasRoom = true;
    }
    this.#on('taskEnded', { claimsAgain });
  }

  #endLoad(isFresh: boolean): void {
    if (isFresh) this.#mustLoad = false;
    const limits = drawnLimits[this.#draw(drawnLimits.length)];
    if (limits === undefined) this.isDue = false;
    this.#hasRoom = true;
    // What was begun before passed none of these limits.
    if (limits?.gated && !this.state.limits?.gated)
      this.#endings = this.#endings.map((ending) => ({ ...ending, isStale: true }));
    this.#on('loaded', limits);
  }

  #endClaim({ flag: isGated, isStale, epoch }: Ending): void {
    if (this.#draw(6) === 5) return this.#on('claimFailed');
    const found = this.#draw(4);
    this.held.ready += found;
    if (isStale) this.#stale += found;
    const isCurrent = this.state.limits !== undefined && this.#draw(5) < 4;
    const [mayHaveMore, isFull] = [found === 3, isGated && this.#draw(2) === 1];
    this.#on('claimed', { found, mayHaveMore, isFull, isCurrent, gated: isGated, epoch });
  }

  /** A request may begin once it has a connection, unless the endpoint has stopped since, or was found gated. */
  #endConnect({ epoch, isStale }: Ending): void {
    const mayBegin = epoch === this.state.epoch;
    expect(mayBegin).toBe(!isStale && !isClosing(this.state));
    const result = mayBegin ? this.#draw(6) : 4;
    if (result < 4) return this.#begin('request');
    this.held.inFlight -= 1;
    this.held.ready += 1;
    this.#on('notSent', { claimsAgain: result === 4 });
  }

  #endRequest({ epoch }: Ending): void {
    const result = this.#draw(4);
    if (result === 3 && epoch === this.state.epoch) {
      this.#begin('immediateRetry');
      return this.#on('immediateRetry');
    }
    this.held.inFlight -= 1;
    this.held.recording += 1;
    this.#begin('record');
    const stops = result === 2;
    if (stops && !isClosing(this.state)) {
      this.#mustApply = true;
      // What they read is older than the health that is to be stored.
      this.#endings = this.#endings.map((ending) => ({
        ...ending,
        flag: ending.flag && ending.kind !== 'load',
        isStale: true,
      }));
    }
    this.#on('attempted', { stops, isRetried: this.#draw(2) === 1 });
  }

  #endApply(): void {
    this.outcomes = this.outcomes > 1 ? this.#draw(2) : 0;
    if (this.state.mode === 'applying' && this.outcomes === 0 && this.state.recording === 0) {
      this.#mustApply = false;
      this.#mustLoad = true;
    }
    const pending = this.#draw(2) === 1 ? 'collecting' : 'wanted';
    this.#on('applied', { health: this.outcomes > 0 ? pending : 'stored', mayHaveMore: this.#draw(2) === 1 });
  }
}

test('whatever happens in which order, each delivery is counted once, and the endpoint rests only without work', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 20), { maxLength: 300, size: 'max' }), (draws) => {
      const simulation = new Simulation(draws);
      for (let steps = 0; !simulation.isOver && steps < 2_000; steps++) simulation.step();
      expect(isBusy(simulation.state)).toBe(false);
      expect(simulation.isDue).toBe(false);
    }),
    { numRuns: 200 },
  );
});
