// Risk: an endpoint sends while it must wait, loses a delivery that it holds, or has work and rests.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Action,
  type EndpointEvents,
  type EndpointState,
  isBusy,
  isClosing,
  type Mode,
  newEndpointState,
  nextAction,
  transition,
} from './endpoint-state.ts';

type Limits = EndpointState['limits'];
const open: Limits = { gated: false, ordered: false };
const gated: Limits = { gated: true, ordered: false };
const ordered: Limits = { gated: true, ordered: true };

const resting: EndpointState = { ...newEndpointState, limits: open };
const working: EndpointState = { ...resting, claim: 'running', sending: 1, recording: 1, tasks: 1 };
const states: Readonly<Record<Mode, EndpointState>> = {
  idle: resting,
  loading: { ...working, mode: 'loading', loads: 1 },
  reloading: { ...working, mode: 'reloading', loads: 1 },
  sending: { ...working, mode: 'sending' },
  stopped: { ...working, mode: 'stopped' },
  applying: { ...working, mode: 'applying', health: 'applying', recording: 0 },
  closing: { ...working, mode: 'closing' },
  closed: { ...resting, mode: 'closed' },
};
const modes = Object.keys(states) as Mode[];

type Apply = (state: EndpointState) => EndpointState;
const event =
  <Name extends keyof EndpointEvents>(name: Name, ...details: EndpointEvents[Name]): Apply =>
  (state) =>
    transition(state, name, ...details);
const recorded = (isHeld: boolean): Apply =>
  event('recorded', { isHeld, gated: false, isPending: false, isUrgent: false });
const claimed = (isCurrent: boolean): Apply =>
  event('claimed', { found: 0, mayHaveMore: false, isFull: false, isCurrent, gated: false });
const attempted = (stops: boolean): Apply => event('attempted', { stops, isRetried: false });
const applied = (isPending: boolean): Apply => event('applied', { isPending, mayHaveMore: false });
/** From `applying`, while another attempt is being recorded. */
const whileRecording =
  (apply: Apply): Apply =>
  (state) =>
    apply({ ...state, recording: 1 });

// The mode after an event, by the mode before: idle, loading, reloading, sending, stopped, applying, closing, closed. A dash
// means that the event can't happen.
const table: readonly (readonly [string, Apply, string])[] = [
  ['poked', event('poked'), 'sending loading reloading sending stopped applying closing closed'],
  ['woken', event('woken'), 'sending loading reloading sending stopped applying closing closed'],
  ['changed', event('changed'), 'loading reloading reloading loading stopped applying closing closed'],
  ['handedOver', event('handedOver'), 'sending loading reloading sending stopped applying closing closing'],
  ['closed', event('closed'), 'closed closing closing closing closing closing closing closed'],
  ['loaded', event('loaded', open), '- sending loading - stopped applying closing -'],
  ['loaded: paused', event('loaded', undefined), '- sending loading - stopped applying closing -'],
  ['noSlots', event('noSlots'), '- - - sending - - - -'],
  ['slotsFreed', event('slotsFreed'), 'idle loading reloading sending stopped applying closing closed'],
  ['claimed', claimed(true), '- loading reloading sending stopped applying closing -'],
  ['claimed: another version', claimed(false), '- reloading reloading loading stopped applying closing -'],
  ['claimFailed', event('claimFailed'), '- loading reloading sending stopped applying closing -'],
  ['notSent', event('notSent', { next: 'reclaim' }), '- loading reloading sending stopped applying closing -'],
  ['repeating', event('repeating'), '- loading reloading sending stopped applying closing -'],
  [
    'repeated',
    whileRecording(event('repeated', { isHeld: true })),
    '- loading reloading sending applying applying closing -',
  ],
  ['attempted', attempted(false), '- loading reloading sending stopped applying closing -'],
  ['attempted: stops', attempted(true), '- stopped stopped stopped stopped applying closing -'],
  ['recorded', whileRecording(recorded(true)), '- loading reloading sending applying applying closing -'],
  ['recorded: lost', whileRecording(recorded(false)), '- reloading reloading loading applying applying closing -'],
  ['healthDue', event('healthDue'), '- loading reloading sending stopped applying closing -'],
  ['applied', applied(false), '- reloading reloading loading stopped loading closing -'],
  ['applied: recording', whileRecording(applied(false)), '- reloading reloading loading stopped stopped closing -'],
  ['applied: pending', applied(true), '- reloading reloading loading stopped applying closing -'],
  ['taskBegun', event('taskBegun'), 'sending loading reloading sending stopped applying closing closing'],
  ['taskEnded', event('taskEnded', { isDue: true }), '- loading reloading sending stopped applying closing -'],
];

describe('the mode after an event', () => {
  const cells = table.flatMap(([name, apply, after]) =>
    after.split(' ').map((mode, column) => ({ name, apply, from: modes[column] ?? 'idle', mode })),
  );
  test.each(cells.filter(({ mode }) => mode !== '-'))('$name in $from: $mode', ({ apply, from, mode }) => {
    expect(apply(states[from]).mode).toBe(mode);
  });

  test('is sending or idle by what is left to do', () => {
    const last = { ...resting, mode: 'sending', recording: 1 } as const;
    expect(recorded(true)(last).mode).toBe('idle');
    expect(recorded(true)({ ...last, wantsWakeUp: true }).mode).toBe('sending');
    expect(recorded(true)({ ...last, mode: 'closing' }).mode).toBe('closed');
  });
});

test('docs/architecture.md shows these transitions', () => {
  const isShown = (mode: string) => mode !== '-' && !mode.startsWith('clos');
  const inTable = table.flatMap(([, , after]) =>
    after.split(' ').flatMap((to, column) => {
      const from = modes[column] ?? 'idle';
      return isShown(to) && isShown(from) && from !== to ? [`${from} --> ${to}`] : [];
    }),
  );
  // By what is left to do, and by an older read.
  const others = ['sending --> idle', 'loading --> idle', 'applying --> reloading'];
  expect(event('loaded', open)({ ...resting, mode: 'loading', loads: 1 }).mode).toBe('idle');
  expect(applied(false)({ ...states.applying, loads: 1 }).mode).toBe('reloading');
  const page = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8');
  const diagram = page.slice(page.indexOf('[*] --> idle')).split('```')[0] ?? '';
  const shown = [...diagram.matchAll(/^ {2}(\w+ --> \w+):/gm)].map(([, edge]) => edge);
  expect(shown.toSorted()).toEqual([...new Set([...inTable, ...others])].toSorted());
});

describe('the next action', () => {
  const sending: EndpointState = { ...resting, mode: 'sending', ready: 1 };
  test.each<readonly [string, EndpointState, Action | undefined]>([
    ['a ready delivery is sent', sending, 'send'],
    ['the window is full', { ...sending, sending: 2 }, undefined],
    ['an ordered endpoint waits for the record', { ...sending, limits: ordered, recording: 1 }, undefined],
    ['it claims ahead', { ...sending, sending: 2, claim: 'wanted' }, 'claim'],
    ['a gated endpoint does not', { ...sending, limits: gated, sending: 2, claim: 'wanted' }, undefined],
    ['it waits for slots', { ...sending, ready: 0, claim: 'waiting' }, undefined],
    ['a claim that was full waits', { ...sending, ready: 0, sending: 1, limits: gated, claim: 'full' }, undefined],
    ['the next delivery is looked up once idle', { ...sending, ready: 0, wantsWakeUp: true }, 'scheduleWakeUp'],
    ['it sends nothing while it loads', { ...states.loading, ready: 1, claim: 'wanted' }, undefined],
    ['it sends nothing while it is stopped', { ...states.stopped, ready: 1, claim: 'wanted' }, undefined],
    ['it sends nothing while it stores its health', { ...states.applying, ready: 1, claim: 'wanted' }, undefined],
    ['a closing endpoint releases what is unsent', { ...states.closing, ready: 1 }, 'reclaim'],
    ['one that is not loaded does too', { ...sending, limits: undefined }, 'reclaim'],
    ['health that is due is stored in each mode', { ...states.closing, health: 'due' }, 'apply'],
  ])('%s', (_, state, action) => {
    expect(nextAction(state, 2)?.[0]).toBe(action);
  });

  test('stores the health after the record of an immediate retry, if that ends last', () => {
    const stopped = attempted(true)(event('repeating')({ ...resting, mode: 'sending', sending: 2 }));
    const waiting = recorded(true)(stopped);
    expect([waiting.mode, nextAction(waiting, 2)]).toEqual(['stopped', undefined]);
    const next = event('repeated', { isHeld: true })(waiting);
    expect([next.mode, nextAction(next, 2)?.[0]]).toEqual(['applying', 'apply']);
  });

  test('claims again once a delivery has ended, if the maximum concurrency was reached', () => {
    const full = { ...resting, mode: 'sending', limits: gated, claim: 'full', sending: 2 } as const;
    expect(event('poked')(full).claim).toBe('full');
    expect(recorded(true)(attempted(false)(full)).claim).toBe('wanted');
    expect(event('repeated', { isHeld: false })({ ...full, sending: 1, recording: 1 }).claim).toBe('wanted');
  });

  test('releases deliveries that were claimed before the endpoint got limits', () => {
    const loaded = event('loaded', gated)({ ...states.loading, ready: 2 });
    expect(nextAction(loaded, 2)).toMatchObject(['reclaim', { ready: 0, release: 'none' }]);
    const found = { found: 2, mayHaveMore: false, isFull: false, isCurrent: true, gated: false };
    const late = event('claimed', found)({ ...states.sending, limits: gated });
    expect(nextAction(late, 2)?.[0]).toBe('reclaim');
  });
});

type Ending = 'load' | 'claim' | 'request' | 'repeat' | 'record' | 'apply' | 'task' | 'slots';

/**
 * An endpoint whose effects end in any order and with any result. `draws` decides; when they are used up each result is
 * the simplest one, and nothing new happens.
 */
class Simulation {
  state = newEndpointState;
  /** Deliveries by stage, counted apart from the state. */
  readonly held = { ready: 0, sending: 0, recording: 0 };
  readonly #window: number;
  readonly #draws: number[];
  readonly #endings: { kind: Ending; flag: boolean }[] = [];
  /** True from a poke until a claim begins, or until the endpoint is left. */
  isDue = false;
  outcomes = 0;
  #mustApply = false;
  #mustLoad = false;

  constructor(draws: readonly number[]) {
    this.#draws = [...draws];
    this.#window = 1 + this.#draw(3);
  }

  #draw(sides: number): number {
    return (this.#draws.shift() ?? 0) % sides;
  }

  get isOver(): boolean {
    return this.#draws.length === 0 && this.#endings.length === 0 && this.state.health !== 'collected';
  }

  /** Something new, or the end of an effect. */
  step(): void {
    const choices = this.#draws.length === 0 ? 0 : 8;
    const pick = this.#draw(choices + this.#endings.length + (this.state.health === 'collected' ? 1 : 0) || 1);
    if (pick < choices) this.#surprise(pick);
    else {
      const [ending] = this.#endings.splice(pick - choices, 1);
      if (ending === undefined) this.#on('healthDue');
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
    } else if (pick < 6) this.#due('poked');
    else if (!isClosing(this.state) && !this.state.limits?.gated) {
      if (this.state.limits === undefined) this.#on('changed');
      this.held.ready += 1;
      this.#on('handedOver');
    }
  }

  #due(name: 'poked' | 'woken'): void {
    this.isDue = !isClosing(this.state);
    this.#on(name);
  }

  #begin(kind: Ending, flag = false): void {
    this.#endings.push({ kind, flag });
  }

  #on<Name extends keyof EndpointEvents>(name: Name, ...details: EndpointEvents[Name]): void {
    this.state = transition(this.state, name, ...details);
    for (let next = nextAction(this.state, this.#window); next; next = nextAction(this.state, this.#window)) {
      const before = this.state;
      this.state = next[1];
      this.#perform(next[0], before);
    }
    const { ready, sending, recording } = this.state;
    expect({ ready, sending, recording: recording - this.#repeats }).toEqual(this.held);
    if (!isBusy(this.state)) {
      const endings = this.#endings.filter(({ kind }) => kind !== 'slots');
      expect([endings, this.outcomes, this.held.ready]).toEqual([[], 0, 0]);
    }
    if (this.state.mode === 'stopped') expect(recording).toBeGreaterThan(0);
  }

  get #repeats(): number {
    return this.#endings.filter(({ kind }) => kind === 'repeat').length;
  }

  #perform(action: Action, before: EndpointState): void {
    if (action === 'load') this.#begin('load', !this.#mustApply);
    else if (action === 'apply') this.#begin('apply');
    else if (action === 'claim') this.#claim(before);
    else if (action === 'send') this.#send(before);
    else if (action === 'scheduleWakeUp') this.#track(false);
    else {
      expect(this.held.ready).toBe(before.ready);
      this.held.ready = 0;
      if (action === 'leave') this.isDue = false;
      // None is released if all leases were lost.
      if (this.#draw(4) < 3) this.#track(action === 'reclaim');
    }
  }

  #track(isDue: boolean): void {
    this.#begin('task', isDue);
    this.#on('taskBegun');
  }

  #claim({ mode, claim, limits }: EndpointState): void {
    expect([mode, claim]).toEqual(['sending', 'wanted']);
    if (this.#draw(5) === 4) {
      this.#begin('slots');
      return this.#on('noSlots');
    }
    this.isDue = false;
    this.#begin('claim', limits?.gated === true);
  }

  #send({ mode, limits, sending, recording }: EndpointState): void {
    expect([mode, this.#mustApply, this.#mustLoad]).toEqual(['sending', false, false]);
    expect(sending).toBeLessThan(this.#window);
    if (limits?.ordered) expect(sending + recording).toBe(0);
    expect(limits).toBeDefined();
    if (this.#draw(6) === 5) return this.#on('notSent', { next: 'reclaim' });
    this.held.ready -= 1;
    this.held.sending += 1;
    this.#begin('request');
  }

  #end({ kind, flag }: { kind: Ending; flag: boolean }): void {
    if (kind === 'task') this.#endTask(flag && this.#draw(5) < 4);
    else if (kind === 'slots') this.#on('slotsFreed');
    else if (kind === 'load') this.#endLoad(flag);
    else if (kind === 'claim') this.#endClaim(flag);
    else if (kind === 'request') this.#endRequest();
    else if (kind === 'apply') this.#endApply();
    else if (kind === 'record') {
      this.held.recording -= 1;
      const isHeld = this.#draw(4) < 3;
      if (isHeld) this.outcomes += this.#draw(2);
      const isPending = this.outcomes > 0;
      const isUrgent = this.#draw(2) === 1;
      this.#on('recorded', { isHeld, gated: this.state.limits?.gated === true, isPending, isUrgent });
    } else {
      const isHeld = this.#draw(3) < 2;
      this.held.sending -= 1;
      if (isHeld) this.held.ready += 1;
      this.#on('repeated', { isHeld });
    }
  }

  #endTask(isDue: boolean): void {
    if (isDue) this.isDue = !isClosing(this.state);
    this.#on('taskEnded', { isDue });
  }

  #endLoad(isFresh: boolean): void {
    if (isFresh) this.#mustLoad = false;
    const limits = [open, open, gated, ordered, undefined][this.#draw(5)];
    if (limits === undefined) this.isDue = false;
    this.#on('loaded', limits);
  }

  #endClaim(isGated: boolean): void {
    if (this.#draw(6) === 5) return this.#on('claimFailed');
    const found = this.#draw(4);
    this.held.ready += found;
    const isCurrent = this.state.limits !== undefined && this.#draw(5) < 4;
    const [mayHaveMore, isFull] = [found === 3, isGated && this.#draw(2) === 1];
    this.#on('claimed', { found, mayHaveMore, isFull, isCurrent, gated: isGated });
  }

  #endRequest(): void {
    const result = this.#draw(6);
    if (result >= 4) {
      this.held.sending -= 1;
      this.held.ready += 1;
      return this.#on('notSent', { next: result === 4 ? 'reclaim' : 'leave' });
    }
    if (result === 3) {
      this.#begin('repeat');
      return this.#on('repeating');
    }
    this.held.sending -= 1;
    this.held.recording += 1;
    this.#begin('record');
    const stops = result === 2;
    if (stops && !isClosing(this.state)) {
      this.#mustApply = true;
      // What they read is older than the health that is to be stored.
      for (const ending of this.#endings) if (ending.kind === 'load') ending.flag = false;
    }
    this.#on('attempted', { stops, isRetried: this.#draw(2) === 1 });
  }

  #endApply(): void {
    this.outcomes = this.outcomes > 1 ? this.#draw(2) : 0;
    if (this.state.mode === 'applying' && this.outcomes === 0 && this.state.recording === 0) {
      this.#mustApply = false;
      this.#mustLoad = true;
    }
    this.#on('applied', { isPending: this.outcomes > 0, mayHaveMore: this.#draw(2) === 1 });
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
