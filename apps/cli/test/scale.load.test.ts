// Risk: several processes get in each other's way: an attempt is made twice, or a restart loses what was accepted.
import { type QueueBackend, queueBackends, redisGroups, startQueueBackend } from '@finhook/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openServiceGroup, type Posted, type ServiceGroup } from './service-group.ts';

const expectAccepted = ({ statuses }: Posted) => expect([...statuses.keys()]).toEqual([201]);

describe.each([...queueBackends(), ...redisGroups().filter((name) => name === 'redis-cluster')])(
  'several processes, the queue on %s',
  (name) => {
    let backend: QueueBackend;
    let group: ServiceGroup;
    beforeAll(async () => {
      backend = await startQueueBackend(name);
    });
    afterAll(() => backend.close());
    beforeEach(async () => {
      group = await openServiceGroup(inject('pgUrl'), backend.url);
    });
    afterEach(async () => {
      await group.close();
      await backend.flush();
    });

    test('C24: three workers and two apis make every attempt once, and the ledger is complete', async () => {
      await group.startAll(2, 3);
      const posted = await group.post((accepted) => accepted >= 500);
      expectAccepted(posted);
      expect(posted.sentAgain).toBe(0);
      await group.expectComplete(posted.events);
    });

    test('C23: a rolling restart under load rejects nothing with a 5xx, cuts nothing off, loses and repeats nothing', async () => {
      await group.startAll(2, 2);
      let over = false;
      const posting = group.post((accepted) => over && accepted >= 200);
      for (const kind of ['api', 'worker', 'api', 'worker'] as const) {
        const running = kind === 'api' ? group.apis : group.workers;
        await group.start(kind);
        // It stays in the list while it stops, so that posts run into it.
        expect(await running[0]?.stop(), kind).toBe(0);
        running.shift();
      }
      over = true;
      const posted = await posting;
      expectAccepted(posted);
      expect(posted.cutOff).toBe(0);
      await group.expectComplete(posted.events);
    });
  },
);
