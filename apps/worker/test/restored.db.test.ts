// Risk: a worker runs on data that was restored into another server, and ordered endpoints stand still unnoticed.
import { expect, inject, test } from 'vitest';
import { openWorkerFixture } from './worker-fixture.ts';

test('a worker does not start on data with transaction ids that the server has yet to reach', async () => {
  const fixture = await openWorkerFixture(inject('pgUrl'));
  await fixture.post();
  await fixture.query("UPDATE event SET feed_xid = '9000000000'::xid8");
  await expect(fixture.startWorker()).rejects.toThrow('transaction ids up to 9000000000');
  await fixture.close();
});
