// Risk: during a failover of Redis, the queue or the deliveries stop, or accepted events are lost.
import { redisGroups, startRedisSentinel } from '@finhook/testing';
import { describe, expect, inject, test } from 'vitest';
import { openServiceGroup } from './service-group.ts';

describe.runIf(redisGroups().length > 0)('the queue on redis-sentinel', () => {
  test('the master is killed while events are delivered: the replica takes over, nothing is lost', async () => {
    const redis = await startRedisSentinel();
    const group = await openServiceGroup(inject('pgUrl'), redis.url);
    try {
      await group.startAll(['api', 'worker', 'worker']);
      let over = false;
      const posting = group.post((accepted) => over && accepted >= 200);
      await group.receiver.waitFor((requests) => requests.length > 200, { timeoutMs: 30_000 });
      await redis.failOver();
      over = true;
      const posted = await posting;
      expect([...posted.statuses.keys()]).toEqual([201]);
      await group.expectComplete(posted.events);
      // Jobs are added to and taken from the new master; otherwise only the reconciler would deliver.
      const added = () => redis.ask('GET {finhook}:finhook-deliver:id');
      const before = await added();
      const later: string[] = [];
      const postAndLook = async () => {
        later.push(...(await group.post((accepted) => accepted >= 1)).events);
        return added();
      };
      await expect.poll(postAndLook, { timeout: 30_000 }).not.toBe(before);
      await expect.poll(() => redis.ask('LLEN {finhook}:finhook-deliver:wait'), { timeout: 30_000 }).toMatch(/^:0\r/);
      await group.expectComplete([...posted.events, ...later]);
    } finally {
      await group.close();
      await redis.close();
    }
  });
});
