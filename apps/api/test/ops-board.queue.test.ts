// Risk: the queue board changes jobs, or works on one backend only.
import { openQueue, queueBackends } from '@finhook/testing';
import { describe, expect, inject, test } from 'vitest';
import type { OpenConsole } from './ops-console.ts';
import { useQueueBoard } from './use-queue-board.ts';

const deliver = 'finhook-deliver';

describe.each(queueBackends())('the queue board on %s', (name) => {
  const board = useQueueBoard(() => openQueue(name, inject('pgUrl')));

  const jobsOf = async ({ send }: OpenConsole, cookie: string) => {
    const response = await send('GET', `/ops/queues/api/queues?activeQueue=${deliver}&status=delayed`, { cookie });
    expect(response.status, response.text).toBe(200);
    const { queues } = JSON.parse(response.text);
    return queues.find((queue: { name: string }) => queue.name === deliver);
  };

  test('shows the jobs and what they wake, under a policy that runs no inline script', async () => {
    const { readOnly, cookie } = board();
    const page = await readOnly.send('GET', '/ops/queues', { cookie });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'self'; frame-ancestors 'none'",
    );
    expect(page.text).not.toMatch(/https?:|<script(?![^>]*\s(?:src=|type="application\/json"))|unsafe/);
    expect(page.text).toContain('<nav id="console" aria-label="Console"><a href="/ops">');
    expect(page.text).toContain('<link href="/ops/board.css" rel="stylesheet">');
    const style = await readOnly.send('GET', '/ops/board.css', { cookie });
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    const [script = ''] = /static\/js\/main[\w.]+\.js/.exec(page.text) ?? [];
    expect((await readOnly.send('GET', `/ops/queues/${script}`, { cookie })).status).toBe(200);
    const { jobs, readOnlyMode } = await jobsOf(readOnly, cookie);
    expect([jobs.length, jobs[0].data, readOnlyMode]).toEqual([
      1,
      { hand_offs: [], endpoints: [{ id: 'we_board', account_id: 'acc_board' }] },
      true,
    ]);
  });

  test('returns 404 for an impossible job id, without details of the store', async () => {
    const { readOnly, cookie } = board();
    const { status, text } = await readOnly.send('GET', `/ops/queues/api/queues/${deliver}/%00`, { cookie });
    expect(status).toBe(404);
    expect(text).not.toContain('0x00');
  });

  test('rejects every change', async () => {
    const { readOnly, cookie } = board();
    const { jobs } = await jobsOf(readOnly, cookie);
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
    expect((await jobsOf(readOnly, cookie)).jobs).toHaveLength(1);
  });
});
