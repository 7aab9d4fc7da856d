// Risk: an endpoint sends while it must wait, loses a delivery that it holds, or has work and rests.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Action,
  type EndpointEvents,
  type EndpointState,
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
const working: EndpointState = { ...resting, claim: 'running', inFlight: 1, recording: 1, tasks: 1 };
const states: Readonly<Record<Mode, EndpointState>> = {
  idle: resting,
  loading: { ...working, mode: 'loading', isReading: true },
  reloading: { ...working, mode: 'reloading', isReading: true },
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
  event('claimed', { found: 0, mayHaveMore: false, isFull: false, isCurrent, gated: false, epoch: 0 });
const attempted = (stops: boolean): Apply => event('attempted', { stops, isRetried: false });
const applied = (isPending: boolean): Apply =>
  event('applied', { health: isPending ? 'wanted' : 'stored', mayHaveMore: false });
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
  ['foundDue', event('foundDue'), 'sending loading reloading sending stopped applying closing closed'],
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
  ['notSent', event('notSent', { claimsAgain: true }), '- loading reloading sending stopped applying closing -'],
  ['immediateRetry', event('immediateRetry'), '- loading reloading sending stopped applying closing -'],
  [
    'immediateRetryRecorded',
    whileRecording(event('immediateRetryRecorded', { isHeld: true, epoch: 0 })),
    '- loading reloading sending applying applying closing -',
  ],
  ['attempted', attempted(false), '- loading reloading sending stopped applying closing -'],
  ['attempted: stops', attempted(true), '- stopped stopped stopped stopped applying closing -'],
  ['recorded', whileRecording(recorded(true)), '- loading reloading sending applying applying closing -'],
  ['recorded: lost', whileRecording(recorded(false)), '- reloading reloading loading applying applying closing -'],
  ['healthCollected', event('healthCollected'), '- loading reloading sending stopped applying closing -'],
  ['applied', applied(false), '- reloading reloading loading stopped loading closing -'],
  ['applied: recording', whileRecording(applied(false)), '- reloading reloading loading stopped stopped closing -'],
  ['applied: pending', applied(true), '- reloading reloading loading stopped applying closing -'],
  [
    'applied: pending, recording',
    whileRecording(applied(true)),
    '- reloading reloading loading stopped stopped closing -',
  ],
  ['taskBegun', event('taskBegun'), 'sending loading reloading sending stopped applying closing closing'],
  ['taskEnded', event('taskEnded', { claimsAgain: true }), '- loading reloading sending stopped applying closing -'],
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
  expect(event('loaded', open)({ ...resting, mode: 'loading', isReading: true }).mode).toBe('idle');
  expect(applied(false)({ ...states.applying, isReading: true }).mode).toBe('reloading');
  const page = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8');
  const diagram = page.slice(page.indexOf('[*] --> idle')).split('```')[0] ?? '';
  const shown = [...diagram.matchAll(/^ {2}(\w+ --> \w+):/gm)].map(([, edge]) => edge);
  expect(shown.toSorted()).toEqual([...new Set([...inTable, ...others])].toSorted());
});

describe('the next action', () => {
  const sending: EndpointState = { ...resting, mode: 'sending', ready: 1 };
  test.each<readonly [string, EndpointState, Action | undefined]>([
    ['a ready delivery is sent', sending, 'send'],
    ['the window is full', { ...sending, inFlight: 2 }, undefined],
    ['an ordered endpoint waits for the record', { ...sending, limits: ordered, recording: 1 }, undefined],
    ['it claims ahead', { ...sending, inFlight: 2, claim: 'wanted' }, 'claim'],
    ['a gated endpoint does not', { ...sending, limits: gated, inFlight: 2, claim: 'wanted' }, undefined],
    ['it waits for slots', { ...sending, ready: 0, claim: 'waiting' }, undefined],
    ['a claim that was full waits', { ...sending, ready: 0, inFlight: 1, limits: gated, claim: 'full' }, undefined],
    ['the next delivery is looked up once idle', { ...sending, ready: 0, wantsWakeUp: true }, 'scheduleWakeUp'],
    ['it sends nothing while it loads', { ...states.loading, ready: 1, claim: 'wanted' }, undefined],
    ['it sends nothing while it is stopped', { ...states.stopped, ready: 1, claim: 'wanted' }, undefined],
    ['it sends nothing while it stores its health', { ...states.applying, ready: 1, claim: 'wanted' }, undefined],
    ['a closing endpoint releases what is unsent', { ...states.closing, ready: 1 }, 'releaseAndClaim'],
    ['one that is not loaded does too', { ...sending, limits: undefined }, 'releaseAndClaim'],
    ['health is stored in each mode but stopped', { ...states.closing, health: 'wanted' }, 'apply'],
  ])('%s', (_, state, action) => {
    expect(nextAction(state, 2)?.[0]).toBe(action);
  });

  test('stores the health after the record of an immediate retry, if that ends last', () => {
    const stopped = attempted(true)(event('immediateRetry')({ ...resting, mode: 'sending', inFlight: 2 }));
    const waiting = recorded(true)(stopped);
    expect([waiting.mode, nextAction(waiting, 2)]).toEqual(['stopped', undefined]);
    const next = event('immediateRetryRecorded', { isHeld: true, epoch: 0 })(waiting);
    const released = nextAction(next, 2);
    expect([next.mode, released?.[0], nextAction(released?.[1] ?? next, 2)?.[0]]).toEqual([
      'applying',
      'releaseAndClaim',
      'apply',
    ]);
  });

  test('claims again once a delivery has ended, if the maximum concurrency was reached', () => {
    const full = { ...resting, mode: 'sending', limits: gated, claim: 'full', inFlight: 2 } as const;
    expect(event('poked')(full).claim).toBe('full');
    expect(recorded(true)(attempted(false)(full)).claim).toBe('wanted');
    expect(
      event('immediateRetryRecorded', { isHeld: false, epoch: 0 })({ ...full, inFlight: 1, recording: 1 }).claim,
    ).toBe('wanted');
  });

  test('releases deliveries that were claimed before the endpoint got limits', () => {
    const loaded = event('loaded', gated)({ ...states.loading, ready: 2 });
    expect(nextAction(loaded, 2)).toMatchObject(['releaseAndClaim', { ready: 0, release: 'none' }]);
    const found = { found: 2, mayHaveMore: false, isFull: false, isCurrent: true, gated: false, epoch: 0 };
    const late = event('claimed', found)({ ...states.sending, limits: gated });
    expect(nextAction(late, 2)?.[0]).toBe('releaseAndClaim');
  });

  test.each<[string, Partial<EndpointState>, number]>([
    ['gated', { limits: open }, 1],
    ['gated as before', { limits: gated }, 0],
  ])(
    'a read that finds it %s ends the epoch of requests that wait for a connection, if it was not',
    (_, was, later) => {
      const before: EndpointState = { ...states.loading, ...was, inFlight: 3 };
      expect(event('loaded', gated)(before).epoch - before.epoch).toBe(later);
    },
  );
});

describe('a stop', () => {
  const sending: EndpointState = { ...resting, mode: 'sending', limits: gated, inFlight: 2 };
  const urgent = event('recorded', { isHeld: true, gated: true, isPending: true, isUrgent: true });
  const found = event('claimed', {
    found: 2,
    mayHaveMore: false,
    isFull: false,
    isCurrent: true,
    gated: true,
    epoch: 0,
  });

  test('stores the health of attempts that end together once', () => {
    const stopped = attempted(true)(attempted(true)(sending));
    const first = urgent(stopped);
    expect([first.mode, nextAction(first, 2)]).toEqual(['stopped', undefined]);
    const collected = { ...stopped, health: 'collecting' } as const;
    expect(nextAction(event('healthCollected')(collected), 2)).toBeUndefined();
    expect(nextAction(urgent(first), 2)?.[0]).toBe('apply');
  });

  test.each(['stopped', 'applying', 'loading', 'sending'] as const)(
    'releases what a claim from before finds in %s',
    (mode) => {
      const stopped = attempted(true)({ ...sending, claim: 'running' });
      const late = found({ ...stopped, mode });
      expect([nextAction(late, 2)?.[0], late.claim]).toEqual(['releaseAndClaim', 'wanted']);
    },
  );

  test.each(['stopped', 'applying', 'loading', 'sending'] as const)(
    'releases an immediate retry of a request from before that was recorded in %s',
    (mode) => {
      const stopped = attempted(true)({ ...sending, inFlight: 3 });
      const late = event('immediateRetryRecorded', { isHeld: true, epoch: 0 })({ ...stopped, mode, recording: 2 });
      expect(nextAction(late, 2)?.[0]).toBe('releaseAndClaim');
    },
  );
});

describe('a claim that was full', () => {
  const full: EndpointState = { ...resting, mode: 'sending', limits: gated, claim: 'full', inFlight: 2, recording: 1 };

  test.each<readonly [string, Apply]>([
    ['the endpoint was read again', (s) => event('loaded', open)(event('changed')(s))],
    ['a wake-up came', event('woken')],
    ['the reconciler found due deliveries', event('foundDue')],
    ['an immediate retry lost its lease', event('immediateRetryRecorded', { isHeld: false, epoch: 0 })],
    ['a delivery was released', (s) => event('taskEnded', { claimsAgain: true })(event('taskBegun')(s))],
  ])('is repeated when %s', (_, apply) => {
    expect(apply(full).claim).toBe('wanted');
  });

  test('is repeated if the endpoint was read during the claim', () => {
    const read = event('loaded', open)(event('changed')({ ...full, claim: 'running' }));
    const none = { found: 0, mayHaveMore: false, isFull: true, isCurrent: true, gated: true, epoch: 0 };
    expect(event('claimed', none)(read).claim).toBe('wanted');
  });
});

test.each<readonly [string, Apply]>([
  ['immediate retry', event('immediateRetryRecorded', { isHeld: false, epoch: 0 })],
  ['delivery', recorded(false)],
])('an ordered endpoint releases the next delivery if its first one, an %s, lost its lease', (_, apply) => {
  const state = { ...resting, mode: 'sending', limits: ordered, ready: 2, inFlight: 1, recording: 1 } as const;
  expect(nextAction(apply(state), 1)?.[0]).toBe('releaseAndClaim');
});
