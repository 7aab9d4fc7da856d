// Risk: several processes conflict: an attempt is made twice, or a restart loses accepted events.
import { openQueue, queueBackends, redisGroups } from '@finhook/testing';
import { describe, expect, inject, test } from 'vitest';
import { openServiceGroup, type Posted } from './service-group.ts';

const expectAccepted = ({ statuses }: Posted) => expect([...statuses.keys()]).toEqual([201]);

describe.each([...queueBackends(), ...redisGroups().filter((name) => name === 'redis-cluster')])(
  'two apis and three workers, the queue on %s',
  (name) => {
    test('make every attempt once; while one of each is replaced under load, nothing is rejected, cut off, lost or repeated', async () => {
      await using opened = new AsyncDisposableStack();
      const queue = opened.adopt(await openQueue(name, inject('pgUrl')), (each) => each.close());
      const group = opened.adopt(await openServiceGroup(inject('pgUrl'), queue.url), (each) => each.close());
      await group.startAll(['api', 'api', 'worker', 'worker', 'worker']);
      const first = await group.post((accepted) => accepted >= 200);
      expectAccepted(first);
      expect(first.sentAgain).toBe(0);

      let isOver = false;
      const posting = group.post((accepted) => isOver && accepted >= 200);
      for (const kind of ['api', 'worker'] as const) {
        const running = kind === 'api' ? group.apis : group.workers;
        await group.start(kind);
        // It stays in the list while it stops, so that posts meet it.
        expect(await running[0]?.stop(), kind).toBe(0);
        running.shift();
      }
      isOver = true;
      const posted = await posting;
      expectAccepted(posted);
      expect(posted.cutOff).toBe(0);
      await group.expectComplete([...first.events, ...posted.events]);
    });
  },
);
