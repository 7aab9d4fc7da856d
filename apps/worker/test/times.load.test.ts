// Risk: a rate limit is exceeded or not used up, or closing takes longer than an orchestrator waits.
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { aloneTest } from './worker-test.ts';

describe.each(queueBackends())('in time, the queue on %s', (name) => {
  const test = aloneTest(name);

  test('two workers together keep to a rate limit within ten percent', async ({ fixture, expect }) => {
    const perSecond = 20;
    const { id } = await fixture.subscribe('/limited', { rate_limit: { requests: perSecond * 2, per_seconds: 2 } });
    await fixture.subscribe('/free');
    // Starts take seconds on a busy machine, so workers start before the measurement.
    await Promise.all([fixture.startWorker(), fixture.startWorker()]);
    await fixture.post();
    await fixture.received(2);
    await fixture.updateEndpoint(id, { status: 'paused' });
    await fixture.postMany(120);
    await expect.poll(() => fixture.arrivals('/free').length, { timeout: 30_000 }).toBe(121);
    // The bucket is empty at this moment.
    const emptied = Date.now();
    await fixture.query('UPDATE endpoint_flow SET tokens = 1, tokens_at = now() WHERE endpoint_id = $1', [id]);
    await fixture.updateEndpoint(id, { status: 'active' });
    await fixture.receiver.waitFor(() => fixture.arrivals('/limited').length >= 102, { timeoutMs: 60_000 });
    const [, ...limited] = fixture.arrivals('/limited');
    const times = limited.map(({ receivedAt }) => receivedAt.getTime());
    const rates = times.slice(60, 101).map((time, i) => ((60 + i) * 1_000) / (time - emptied));
    // A busy machine may stall longer than the bucket saves: the best stretch of two seconds counts.
    const stretches = times.slice(40).map((time, i) => (40 * 1_000) / (time - (times[i] ?? 0)));
    expect(Math.max(...stretches)).toBeGreaterThan(perSecond * 0.9);
    expect(Math.max(...rates)).toBeLessThan(perSecond * 1.1);
  });

  test('SIGTERM ends a process within ten seconds, though an endpoint hangs', async ({ fixture, expect }) => {
    await fixture.subscribe('/hanging');
    fixture.receiver.script('/hanging', { fault: 'hang' });
    await fixture.postMany(20);
    const worker = fixture.startProcess({ program: 'main' });
    await fixture.received(1);
    const startedAt = performance.now();
    expect(await worker.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
