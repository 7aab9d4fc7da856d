// Risk: the queue board fails with the queue and does not recover.
import { queueBackends, startQueueBackend } from '@finhook/testing';
import { describe, expect, test, vi } from 'vitest';
import { openConsole } from './ops-console.ts';
import { useQueueBoard } from './use-queue-board.ts';

describe.each(queueBackends())('the queue board on %s', (name) => {
  const board = useQueueBoard(() => startQueueBackend(name));

  test('returns 503 while the queue is down, and recovers with it', async () => {
    const { backend, fixture, readOnly, cookie } = board();
    await backend.stop();
    const away = await readOnly.send('GET', '/ops/queues/api/queues', { cookie });
    expect([away.status, JSON.parse(away.text).code], away.text).toEqual([503, 'unavailable']);
    expect((await readOnly.send('GET', '/ops/queues', { cookie })).status).toBe(200);

    // One board opens during the outage, the other one closes.
    const late = await openConsole({ core: fixture.elsewhere, queueUrl: backend.url });
    expect((await late.send('GET', '/ops/queues/api/queues', { cookie })).status).toBe(503);
    const closing = await openConsole({ core: fixture.elsewhere, queueUrl: backend.url });
    expect((await closing.send('GET', '/ops/queues', { cookie })).status).toBe(200);
    await closing.close();

    await backend.start();
    for (const one of [readOnly, late]) {
      await vi.waitFor(
        async () => expect((await one.send('GET', '/ops/queues/api/queues', { cookie })).status).toBe(200),
        { timeout: 15_000, interval: 100 },
      );
    }
    await late.close();
  });
});
