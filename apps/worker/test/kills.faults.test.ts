// Risk: a worker that dies, sleeps or loses its database between two steps loses a delivery or repeats one needlessly.
import { type Hold, queueBackends, type ReceiverResponse, startFaultProxy } from '@finhook/testing';
import { describe, expect as globalExpect } from 'vitest';
import { errorsOf, type Ledger, readLedger, repeatedIn } from './ledger.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { aloneTest } from './worker-test.ts';

const paths = ['/hook/1', '/hook/2', '/hook/3', '/hook/4'];
const events = 50;
/** Size of an endpoint's send window before its first response. */
const firstWindow = 8;
/** Requests are still in flight when their worker is killed, even on a busy machine. */
const heldMs = 8_000;

interface Step {
  readonly name: string;
  readonly hold: Hold;
  /** True once the worker has come to this step and no further. */
  readonly reached: (ledger: Ledger) => boolean;
}

const sent = ({ lines }: Ledger) => lines.filter(({ received }) => received.length > 0).length;
const leased = ({ lines }: Ledger) => lines.filter((line) => line.leased).length;
const recorded = ({ lines }: Ledger) => lines.filter(({ status }) => status === 'succeeded').length;

const steps: readonly Step[] = [
  {
    name: 'before its claim',
    hold: { statement: 'claim_deliveries', when: 'before' },
    reached: (ledger) => leased(ledger) === 0 && sent(ledger) === 0,
  },
  {
    name: 'after its claim, before it sends',
    hold: { statement: 'claim_deliveries', when: 'after' },
    reached: (ledger) => leased(ledger) > 0 && sent(ledger) === 0,
  },
];

async function prepare(fixture: WorkerFixture): Promise<void> {
  for (const path of paths) await fixture.subscribe(path);
  await fixture.postMany(events);
}

/** Nothing was lost, and only `allowed` arrived twice. */
async function expectWhole(fixture: WorkerFixture, posted: number, allowed: readonly string[]): Promise<void> {
  const ledger = await readLedger(fixture);
  globalExpect(ledger.lines).toHaveLength(posted * paths.length);
  globalExpect(errorsOf(ledger)).toEqual([]);
  globalExpect(repeatedIn(ledger).filter((delivery) => !allowed.includes(delivery))).toEqual([]);
}

describe.concurrent.each(queueBackends())('a worker that stops between two steps, the queue on %s', (name) => {
  const test = aloneTest(name).extend('proxy', async ({ fixture }, { onCleanup }) => {
    const proxy = await startFaultProxy(fixture.databaseUrl);
    onCleanup(() => proxy.close());
    return proxy;
  });

  test.for(steps)(
    'kill -9 $name: nothing is lost or repeated',
    async ({ hold, reached }, { fixture, proxy, expect }) => {
      await prepare(fixture);
      const held = proxy.hold(hold);
      const worker = fixture.startProcess({ databaseUrl: proxy.url });
      await held;
      await expect.poll(async () => reached(await readLedger(fixture)), { timeout: 30_000, interval: 200 }).toBe(true);
      await worker.kill();
      fixture.startProcess({ program: 'main' });
      await fixture.settled();
      await expectWhole(fixture, events, []);
    },
  );

  test('a worker that is stopped past its lease and goes on changes nothing of what another one did', async ({
    fixture,
    expect,
  }) => {
    await prepare(fixture);
    const respond = (response: ReceiverResponse) => {
      for (const path of paths) fixture.receiver.script(path, response);
    };
    respond({ held: true });
    // Its leases outlast the start of the other worker and the deliveries that are left, also on a busy machine.
    const sleeper = fixture.startProcess({ timeoutMs: 2 * heldMs, leaseMs: 4 * heldMs });
    const window = firstWindow * paths.length;
    await fixture.received(window);
    // A request on its way would be recorded without having arrived.
    let seen = 0;
    const isQuiet = () => seen === (seen = fixture.receiver.requests.length);
    await expect.poll(isQuiet, { interval: 1_000, timeout: heldMs }).toBe(true);
    sleeper.freeze();
    const asleep = await readLedger(fixture);
    expect(recorded(asleep)).toBe(0);
    const held = asleep.lines.filter((line) => line.leased);
    expect(held.length).toBeGreaterThan(window);
    respond({});
    fixture.startProcess({ timeoutMs: 10 * heldMs, leaseMs: 11 * heldMs });
    const rest = events * paths.length - held.length;
    await expect.poll(async () => recorded(await readLedger(fixture)), { timeout: 30_000, interval: 200 }).toBe(rest);
    // When the leases end, the other worker sends them again; the first one wakes during that.
    respond({ held: true });
    const again = async () => repeatedIn(await readLedger(fixture)).length;
    await expect.poll(again, { timeout: 60_000, interval: 200 }).toBe(window);
    const awake = await readLedger(fixture);
    const underWay = [repeatedIn(awake)];
    const claims = () =>
      fixture.query(
        `SELECT delivery_id, lease_token, lease_until, due_at, step, attempt_count FROM due
         WHERE delivery_id = ANY ($1) AND lease_until > now() ORDER BY delivery_id`,
        underWay,
      );
    const before = await claims();
    expect(before).toHaveLength(window);
    sleeper.thaw();
    const late = 'SELECT FROM attempt WHERE delivery_id = ANY ($1) AND n = 1 AND error IS NOT NULL';
    const recordedLate = async () => (await fixture.query(late, underWay)).length;
    await expect.poll(recordedLate, { timeout: 30_000, interval: 200 }).toBe(window);
    expect(await claims()).toEqual(before);
    respond({});
    fixture.receiver.release();
    await fixture.postMany(events);
    await fixture.settled();
    // The first worker sent none of its claimed deliveries after it woke.
    const heldIds = new Set(held.map(({ delivery }) => delivery));
    const sentBySleeper = awake.lines.filter(({ delivery, received }) => heldIds.has(delivery) && received.includes(1));
    await expectWhole(
      fixture,
      2 * events,
      sentBySleeper.map(({ delivery }) => delivery),
    );
    // Outdated results don't count against the endpoints.
    expect(await fixture.query('SELECT FROM webhook_endpoint WHERE breaker_since IS NOT NULL')).toEqual([]);
  });

  test('connections to the database that break at any statement lose and repeat nothing', async ({
    fixture,
    proxy,
    expect,
  }) => {
    const rounds = 16;
    for (const path of paths) await fixture.subscribe(path);
    fixture.startProcess({ databaseUrl: proxy.url });
    for (let round = 0; round < rounds; round += 1) {
      proxy.arm({ statement: 1 + ((round * 5) % 17), when: round % 2 === 0 ? 'before' : 'after' });
      await fixture.postMany(10);
      await expect.poll(() => proxy.wasCut(), { timeout: 20_000, interval: 5 }).toBe(true);
      if (round % 4 === 3) proxy.cutAll();
    }
    await fixture.settled();
    await expectWhole(fixture, 10 * rounds, []);
  });
});
