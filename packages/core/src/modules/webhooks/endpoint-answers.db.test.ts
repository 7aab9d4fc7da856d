// Risk: the response to a change and a read just after it differ about what blocks the endpoint.
import { beforeEach, expect, test, vi } from 'vitest';
import { claimThrough, emitMany, newEndpoint, settle } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import type { Context } from '../../verbs/context.ts';
import { getEndpoint } from './read.ts';
import { completeRotation, rotateSecret } from './rotate-secret.ts';
import { updateEndpoint } from './update.ts';

const fixture = useFixture();
let context: Context;
let id: string;
let head: string;

beforeEach(async () => {
  const { core } = fixture;
  context = (await fixture.otherAccount()).context;
  id = await newEndpoint(context, { ordered: true });
  await emitMany(context, 1);
  const claim = async () => (await claimThrough(core, id, 1)).claims;
  // Open transactions of other tests may add an earlier event.
  const claims = await vi.waitUntil(async () => ((found) => found.length > 0 && found)(await claim()), 20_000);
  head = claims[0]?.deliveryId ?? '';
  await settle(core, claims, { kind: 'retry', delayMs: 300_000 });
  await core.database.query(
    `UPDATE webhook_endpoint SET breaker = 'open', next_probe_at = now() - interval '1 second',
       hold_until = now() - interval '1 second' WHERE id = $1`,
    [id],
  );
});

const update = (change: { description?: string; status?: 'active' | 'paused' }) => () =>
  updateEndpoint(context, { endpoint_id: id, ...change });

test.each<[string, () => Promise<object>]>([
  ['a change', update({ description: 'Nightly' })],
  ['a change of nothing', update({})],
  ['a pause', update({ status: 'paused' })],
  ['a rotation', () => rotateSecret(context, { endpoint_id: id })],
  ['the end of a rotation that does not run', () => completeRotation(context, { endpoint_id: id })],
  [
    'the end of a rotation',
    async () => {
      await rotateSecret(context, { endpoint_id: id });
      return completeRotation(context, { endpoint_id: id });
    },
  ],
])(
  '%s answers what blocks the endpoint, and what time has brought to its breaker and its pause',
  async (_what, act) => {
    const answer = await act();
    expect(answer).toMatchObject({
      blocked_by: { delivery_id: head, attempts: 1 },
      health: { state: 'half_open', wait_until: null },
    });
    expect(answer).toMatchObject(await getEndpoint(context, { endpoint_id: id }));
  },
);

test('a resumption answers that the breaker is closed, and what blocks the endpoint still', async () => {
  await update({ status: 'paused' })();
  const answer = await update({ status: 'active' })();
  expect(answer).toMatchObject({ blocked_by: { delivery_id: head }, health: { state: 'closed', wait_until: null } });
  expect(answer).toEqual(await getEndpoint(context, { endpoint_id: id }));
});
