import { handlers } from '@finhook/core';
import type { WorkerFixture } from './worker-fixture.ts';

/** Creates an endpoint at `/late` and replays all earlier events to it. Returns the replay's id. */
export async function beginReplay(fixture: WorkerFixture, options: object = {}): Promise<string> {
  const { id: endpoint_id } = await fixture.subscribe('/late', options);
  const replay = await handlers.webhookEndpoints.replay(fixture.context, {
    endpoint_id,
    since: '2020-01-01T00:00:00Z',
  });
  if (replay.object !== 'replay') throw new Error('It was only counted.');
  return replay.id;
}

/** A replay whose events all arrived. */
export function wholeReplay(events: number) {
  return { status: 'completed', matched: events, enqueued: events, delivered: events, open: 0, failed: 0 };
}
