// Risk: a worker that dies, sleeps or loses its database between two steps loses a delivery, or makes one again for nothing.
import { type Hold, type QueueBackend, queueBackends, startQueueBackend } from '@finhook/testing';
import { afterAll, beforeAll, describe, type ExpectStatic, test } from 'vitest';
import { faultsOf, type Ledger, readLedger, repeatedIn } from './ledger.ts';
import { type Lane, onLane } from './open-lane.ts';

const paths = ['/hook/1', '/hook/2', '/hook/3', '/hook/4'];
const events = 50;
/** How many requests an endpoint gets at once before it has answered any. */
const firstWindow = 8;
/** A lease is 25 s; what else there is to do takes the rest, on a machine that runs seven of these at once. */
const leaseMs = 60_000;

interface Step {
  readonly name: string;
  /** Where the worker is held; without it the receiver holds it, by not answering. */
  readonly hold?: Hold;
  /** Nothing was sent before, so that nothing can be repeated. */
  readonly unsent?: boolean;
  /** Shows from the ledger that the worker came so far and no further. */
  readonly reached: (ledger: Ledger, lane: Lane) => Promise<boolean> | boolean;
}

const sent = ({ lines }: Ledger) => lines.filter(({ received }) => received.length > 0).length;
const leased = ({ lines }: Ledger) => lines.filter((line) => line.leased).length;
const recorded = ({ lines }: Ledger) => lines.filter(({ status }) => status === 'succeeded').length;

const steps: readonly Step[] = [
  {
    name: 'after its wake-up, before its claim',
    hold: { statement: 'claim_deliveries', when: 'before' },
    unsent: true,
    reached: async (ledger, { producer }) =>
      leased(ledger) === 0 && sent(ledger) === 0 && (await producer.counts('endpoint.deliver')).active > 0,
  },
  {
    name: 'after its claim, before it sends',
    hold: { statement: 'claim_deliveries', when: 'after' },
    unsent: true,
    reached: (ledger) => leased(ledger) > 0 && sent(ledger) === 0,
  },
  {
    name: 'while it sends',
    reached: (ledger) => sent(ledger) >= firstWindow * paths.length && recorded(ledger) === 0,
  },
  {
    name: 'after it sent, before it records',
    hold: { statement: 'record_attempts', when: 'before' },
    reached: (ledger) => sent(ledger) > 0 && recorded(ledger) === 0,
  },
  {
    name: 'after it recorded, before it knows',
    hold: { statement: 'record_attempts', when: 'after' },
    reached: (ledger) => recorded(ledger) > 0,
  },
];

async function prepare(lane: Lane, expect: ExpectStatic): Promise<void> {
  for (const path of paths) await lane.subscribe(path);
  await lane.postMany(events);
  // The wake-up of a post is given up after a second, which a machine that starts seven of these at once may take.
  const endpoints = await lane.query<{ id: string }>('SELECT id FROM webhook_endpoint');
  const wake = () =>
    lane.producer.wake(endpoints.map(({ id }) => id)).then(
      () => true,
      () => false,
    );
  await expect.poll(wake, { timeout: 30_000 }).toBe(true);
}

/** Nothing was lost or made up, and what arrived again is among `allowed`. */
async function expectWhole(
  expect: ExpectStatic,
  lane: Lane,
  posted: number,
  allowed: readonly string[],
): Promise<void> {
  const ledger = await readLedger(lane);
  expect(ledger.lines).toHaveLength(posted * paths.length);
  expect(faultsOf(ledger)).toEqual([]);
  expect(repeatedIn(ledger).filter((delivery) => !allowed.includes(delivery))).toEqual([]);
}

describe.each(queueBackends())('a worker that stops between two steps, the queue on %s', (name) => {
  let backend: QueueBackend;
  beforeAll(async () => {
    backend = await startQueueBackend(name);
  });
  afterAll(() => backend.close());

  test.concurrent.for(steps.map((step, index) => ({ ...step, index })))(
    'C23: kill -9 $name: nothing is lost, and only what was in flight is repeated',
    ({ index, hold, unsent, reached }, { expect }) =>
      onLane({ backend, index, expect }, async (lane) => {
        await prepare(lane, expect);
        const held = hold === undefined ? undefined : lane.proxy.hold(hold);
        if (hold === undefined) for (const path of paths) lane.receiver.script(path, { fault: 'hang' });
        const worker = lane.startProcess(lane.proxy.url);
        await held;
        await expect.poll(async () => reached(await readLedger(lane), lane), { timeout: 30_000 }).toBe(true);
        await worker.kill();

        const atDeath = await readLedger(lane);
        for (const path of paths) lane.receiver.script(path, {});
        lane.startProcess();
        await lane.settled(leaseMs);
        const inFlight = atDeath.lines.filter((line) => line.leased).map(({ delivery }) => delivery);
        await expectWhole(expect, lane, events, unsent ? [] : inFlight);
      }),
  );

  test.concurrent('C24: a worker that is stopped past its lease and goes on changes nothing of what another one did', ({
    expect,
  }) =>
    onLane({ backend, index: steps.length, expect }, async (lane) => {
      await prepare(lane, expect);
      // So late that it sleeps by then, however long a busy machine takes to stop it.
      for (const path of paths) lane.receiver.script(path, { status: 500, delayMs: 8_000 });
      const sleeper = lane.startProcess();
      const window = firstWindow * paths.length;
      await lane.receiver.waitFor((requests) => requests.length >= window, { timeoutMs: 30_000 });
      // What is on its way when it falls asleep would be on record without ever having arrived.
      let seen = 0;
      const isQuiet = () => seen === (seen = lane.receiver.requests.length);
      await expect.poll(isQuiet, { interval: 1_000, timeout: 6_000 }).toBe(true);
      sleeper.freeze();
      const asleep = await readLedger(lane);
      expect(recorded(asleep)).toBe(0);
      const held = asleep.lines.filter((line) => line.leased);
      expect(held.length).toBeGreaterThan(window);
      for (const path of paths) lane.receiver.script(path, {});
      lane.startProcess();
      const rest = events * paths.length - held.length;
      await expect.poll(async () => recorded(await readLedger(lane)), { timeout: 30_000 }).toBe(rest);
      // When the leases end, the other worker sends them again; the sleeper wakes while they are under way.
      for (const path of paths) lane.receiver.script(path, { delayMs: 10_000 });
      const again = async () => repeatedIn(await readLedger(lane)).length;
      await expect.poll(again, { timeout: leaseMs }).toBeGreaterThanOrEqual(window);
      const awake = await readLedger(lane);
      const underWay = [repeatedIn(awake)];
      const claims = () =>
        lane.query(
          `SELECT delivery_id, lease_token, lease_until, due_at, step, attempt_count FROM due
           WHERE delivery_id = ANY ($1) AND lease_until > now() ORDER BY delivery_id`,
          underWay,
        );
      const before = await claims();
      expect(before).toHaveLength(repeatedIn(awake).length);
      sleeper.thaw();
      const late = 'SELECT FROM attempt WHERE delivery_id = ANY ($1) AND n = 1 AND error IS NOT NULL';
      const recordedLate = async () => (await lane.query(late, underWay)).length;
      await expect.poll(recordedLate, { timeout: 9_000 }).toBe(before.length);
      expect(await claims()).toEqual(before);
      for (const path of paths) lane.receiver.script(path, {});
      await lane.postMany(events);
      await lane.settled(30_000);
      // What the sleeper had claimed and not sent, it did not send when it woke.
      const heldIds = new Set(held.map(({ delivery }) => delivery));
      const sentBySleeper = awake.lines.filter(
        ({ delivery, received }) => heldIds.has(delivery) && received.includes(1),
      );
      const allowed = sentBySleeper.map(({ delivery }) => delivery);
      await expectWhole(expect, lane, 2 * events, allowed);
      // Nor do results that nobody waits for any more speak against the endpoints.
      expect(await lane.query('SELECT FROM webhook_endpoint WHERE breaker_since IS NOT NULL')).toEqual([]);
    }));

  test.concurrent('C23: connections to the database that break at any statement lose and repeat nothing', ({
    expect,
  }) =>
    onLane({ backend, index: steps.length + 1, expect }, async (lane) => {
      const rounds = 16;
      for (const path of paths) await lane.subscribe(path);
      lane.startProcess(lane.proxy.url);
      for (let round = 0; round < rounds; round += 1) {
        lane.proxy.arm({ statement: 1 + ((round * 5) % 17), when: round % 2 === 0 ? 'before' : 'after' });
        await lane.postMany(10);
        await expect.poll(() => lane.proxy.wasCut(), { timeout: 20_000, interval: 5 }).toBe(true);
        if (round % 4 === 3) lane.proxy.cutAll();
      }
      await lane.settled(leaseMs);
      await expectWhole(expect, lane, 10 * rounds, []);
    }));
});
