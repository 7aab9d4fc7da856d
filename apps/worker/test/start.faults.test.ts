// Risk: a worker that starts while its database is down sends from a restored database, or with a wrong SECRETS_KEY.
import { setTimeout } from 'node:timers/promises';
import { startQueueBackend, withClient } from '@finhook/testing';
import { expect, test } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import { openOwnFixture } from './worker-fixture.ts';

const cases = [
  { title: 'sends what is due', options: {}, restored: false, rejects: undefined },
  {
    title: 'does not start with another SECRETS_KEY',
    options: { secretsKey: Buffer.alloc(32, 9).toString('base64') },
    restored: false,
    rejects: 'written under another SECRETS_KEY',
  },
  {
    title: 'does not start on a database that was restored',
    options: { cell: 'eu' },
    restored: true,
    rejects: 'was restored or copied',
  },
] as const;

test.for(cases)('a worker that starts while its database is away $title, when it is back', async (given) => {
  const { options, restored, rejects } = given;
  const server = await startQueueBackend('postgres');
  const fixture = await openOwnFixture(server.url);
  try {
    await (await fixture.startWorker({ timing: quickTiming })).close();
    await fixture.subscribe('/hook');
    await fixture.post();
    if (restored) {
      await withClient(fixture.databaseUrl, async (client) => {
        await client.query('DELETE FROM service_process');
        await client.query('UPDATE database_identity SET timeline = timeline + 1');
      });
    }
    await server.stop();
    let isSettled = false;
    const starting = fixture
      .startWorker({ ...options, timing: quickTiming })
      .then(() => 'started', String)
      .finally(() => (isSettled = true));
    const waits = () => fixture.logLines.some((line) => line.includes('the worker waits for it'));
    await expect.poll(waits, { timeout: 10_000 }).toBe(true);
    expect(isSettled).toBe(false);
    await server.start();
    if (rejects === undefined) {
      expect(await starting).toBe('started');
      await fixture.received(1);
    } else {
      expect(await starting).toContain(rejects);
      await setTimeout(3 * quickTiming.reconcileMs);
      expect(fixture.receiver.requests).toEqual([]);
    }
  } finally {
    await fixture.close();
    await server.close();
  }
});
