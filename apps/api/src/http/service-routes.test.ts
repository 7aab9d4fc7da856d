// Risk: each probe costs a query, or a process that is not ready reports that it is.
import { expect, test } from 'vitest';
import { createReadiness } from './service-routes.ts';

function openReadiness(checkIntervalMs?: number) {
  const pings: { fail: () => void; succeed: () => void }[] = [];
  const state = async () => ({ isReadOnly: false, pendingMigrations: [] });
  const pingQueue = () =>
    new Promise<void>((resolve, fail) => void pings.push({ fail: () => fail(new Error()), succeed: resolve }));
  return {
    pings,
    ready: createReadiness({
      core: { database: { state, tryWrite: async () => undefined } },
      pingQueue,
      checkIntervalMs,
    }),
  };
}

test('probes of an interval share one check, and its result', async () => {
  const { pings, ready } = openReadiness(60_000);
  const probes = [ready(), ready(), ready()];
  pings[0]?.fail();
  expect(await Promise.all(probes)).toEqual([1, 2, 3].map(() => ({ database: 'ok', queue: 'unreachable' })));
  expect([await ready(), pings.length]).toEqual([{ database: 'ok', queue: 'unreachable' }, 1]);
});

test('after the interval the stores are checked again, but not while a check runs', async () => {
  const { pings, ready } = openReadiness(0);
  const probes = [ready(), ready()];
  expect(pings).toHaveLength(1);
  pings[0]?.fail();
  await Promise.all(probes);
  const next = ready();
  pings[1]?.succeed();
  expect([(await next).queue, pings.length]).toEqual(['ok', 2]);
});
