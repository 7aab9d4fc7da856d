// Risk: the events of one transaction reach an ordered endpoint in another order than that of the feed.
import { expect, test } from 'vitest';
import { claimThrough } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { balances, ReplayStage } from '../../../test/replay-stage.ts';
import { upsertCashBalance } from '../cash/balances/upsert.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { updateEndpoint } from '../webhooks/update.ts';

const fixture = useFixture();

const claimEvents = async (endpointId: string) =>
  (await claimThrough(fixture.core, endpointId, 100)).claims.map(({ eventId }) => eventId);

test('ordered: posts that one statement stored are claimed in the order of the feed', async () => {
  const { context, companyId: company_id } = fixture;
  const { id } = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook', events: balances });
  const post = (i: number) =>
    upsertCashBalance(context, {
      company_id,
      as_of: new Date(Date.UTC(2020, 0, i)).toISOString().slice(0, 10),
      balance_cents: i,
      currency: 'USD',
    });
  await Promise.all(Array.from({ length: 80 }, (_, i) => post(i)));
  await updateEndpoint(context, { endpoint_id: id, ordered: true });
  const feed = await fixture.core.database.query<{ id: string; xid: string }>(
    'SELECT id, xmin::text AS xid FROM event WHERE type = $1 ORDER BY position',
    balances,
  );
  expect(new Set(feed.map(({ xid }) => xid)).size).toBeLessThan(40);
  expect(await claimEvents(id)).toEqual(feed.map((event) => event.id));
});

test('a replay to an ordered endpoint keeps the order of the feed, also where the clocks of the writers disagreed', async () => {
  const { core } = fixture;
  const { context, companyId } = await fixture.otherAccount();
  const stage = new ReplayStage(core, context, companyId);
  const posted = await stage.post(5);
  const [early, second, third, late, last] = posted;
  await core.database.query(
    `UPDATE event ev SET position = other.position FROM event other
     WHERE ev.id = ANY ($1) AND other.id = ANY ($1) AND ev.id <> other.id`,
    [[early, late]],
  );
  const endpoint = await stage.endpointOf();
  await stage.begin(endpoint);
  await stage.stepTo(5);
  await updateEndpoint(context, { endpoint_id: endpoint, ordered: true });
  expect(await claimEvents(endpoint)).toEqual([late, second, third, early, last]);
});
