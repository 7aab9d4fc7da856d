// Risk: the queue board changes jobs that it may only show, works on one backend alone, or falls with the queue.
import { createLogger, createQueueProducer } from '@finhook/platform';
import { type QueueBackend, queueBackends, startQueueBackend } from '@finhook/testing';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';
import { type OpenConsole, openConsole } from './ops-console.ts';

const deliver = 'finhook-endpoint-deliver';
const logger = createLogger({ level: 'silent', name: 'test' });

describe.each(queueBackends())('the queue board on %s', (name) => {
  let backend: QueueBackend;
  let fixture: ApiFixture;
  let readOnly: OpenConsole;
  let changing: OpenConsole;
  let cookie: string;

  beforeAll(async () => {
    backend = await startQueueBackend(name);
    fixture = await openApiFixture(inject('pgUrl'));
    const shared = { core: fixture.elsewhere, queueUrl: backend.url };
    readOnly = await openConsole(shared);
    changing = await openConsole({ ...shared, allowChanges: true });
    cookie = await readOnly.signIn();
    const producer = createQueueProducer(backend.url, { logger });
    await producer.wake(['we_board'], { delayMs: 600_000 });
    await producer.close();
  });
  afterAll(async () => {
    await readOnly.close();
    await changing.close();
    await fixture.close();
    await backend.close();
  });

  const jobsOf = async ({ send }: OpenConsole) => {
    const answer = await send('GET', `/ops/queues/api/queues?activeQueue=${deliver}&status=delayed`, { cookie });
    expect(answer.status, answer.text).toBe(200);
    const { queues } = JSON.parse(answer.text);
    return queues.find((queue: { name: string }) => queue.name === deliver);
  };

  test('shows the jobs and what they wake, under a policy that runs no inline script', async () => {
    const page = await readOnly.send('GET', '/ops/queues', { cookie });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.text).not.toMatch(/https?:|style=|<style|unsafe/);
    const [script = ''] = /static\/js\/main[\w.]+\.js/.exec(page.text) ?? [];
    expect((await readOnly.send('GET', `/ops/queues/${script}`, { cookie })).status).toBe(200);
    const { jobs, readOnlyMode } = await jobsOf(readOnly);
    expect([jobs.length, jobs[0].data, readOnlyMode]).toEqual([1, { endpoint_id: 'we_board' }, true]);
  });

  test('finds no job whose id nothing can hold, and tells nothing of the store', async () => {
    const { status, text } = await readOnly.send('GET', `/ops/queues/api/queues/${deliver}/%00`, { cookie });
    expect(status).toBe(404);
    expect(text).not.toContain('0x00');
  });

  test('refuses every change unless changes are allowed', async () => {
    const { jobs } = await jobsOf(readOnly);
    const changes = [
      ['PUT', '/ops/queues/api/queues/pause'],
      ['PUT', `/ops/queues/api/queues/${deliver}/empty`],
      ['PUT', `/ops/queues/api/queues/${deliver}/${jobs[0].id}/promote`],
      ['PATCH', `/ops/queues/api/queues/${deliver}/${jobs[0].id}/update-data`],
      ['POST', `/ops/queues/api/queues/${deliver}/add`],
      ['DELETE', '/ops/queues'],
    ] as const;
    for (const [method, path] of changes) {
      const { status, text } = await readOnly.send(method, path, { cookie });
      expect([status, JSON.parse(text).title], path).toEqual([403, 'The board is read-only']);
    }
    expect((await jobsOf(readOnly)).jobs).toHaveLength(1);
  });

  test('changes what is allowed, for a page of its own and for no other', async () => {
    const path = `/ops/queues/api/queues/${deliver}/empty`;
    const foreign = await changing.send('PUT', path, { cookie, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).toBe(403);
    expect((await changing.send('PUT', path)).status).toBe(401);
    expect((await jobsOf(changing)).jobs).toHaveLength(1);

    const added = await changing.send('POST', `/ops/queues/api/queues/${deliver}/add`, {
      cookie,
      headers: { 'content-type': 'application/json' },
    });
    expect(added.status).toBe(400);
    const promote = `/ops/queues/api/queues/${deliver}/promote`;
    expect((await changing.send('PUT', promote, { cookie })).status).toBe(200);
    const { counts } = await jobsOf(changing);
    expect([counts.delayed, counts.waiting]).toEqual([0, 1]);
    expect((await changing.send('PUT', path, { cookie })).status).toBe(200);
    expect((await jobsOf(changing)).counts.waiting).toBe(0);
  });

  test('while the queue is away it says so at once, and it comes back with the queue', async () => {
    await backend.stop();
    const began = performance.now();
    const away = await readOnly.send('GET', '/ops/queues/api/queues', { cookie });
    expect([away.status, JSON.parse(away.text).code], away.text).toEqual([503, 'unavailable']);
    expect(performance.now() - began).toBeLessThan(3_000);
    expect((await readOnly.send('GET', '/ops/queues', { cookie })).status).toBe(200);

    // One that is opened meanwhile, and one that is closed meanwhile.
    const late = await openConsole({ core: fixture.elsewhere, queueUrl: backend.url });
    expect((await late.send('GET', '/ops/queues/api/queues', { cookie })).status).toBe(503);
    const closing = await openConsole({ core: fixture.elsewhere, queueUrl: backend.url });
    expect((await closing.send('GET', '/ops/queues', { cookie })).status).toBe(200);
    const closingBegan = performance.now();
    await closing.close();
    expect(performance.now() - closingBegan).toBeLessThan(4_000);

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
