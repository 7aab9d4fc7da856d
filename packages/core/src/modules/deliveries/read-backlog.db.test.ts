// Risk: an alert is based on wrong numbers: a hidden backlog, or a lost delivery that is not counted.
import { beforeAll, expect, inject, test } from 'vitest';
import { attemptOf, claimAll, emitMany } from '../../../test/attempt-of.ts';
import { openFixture, useFixture } from '../../../test/core-fixture.ts';
import { createApiKey } from '../accounts/api-keys/create.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { countDeliveriesPage } from './lost-deliveries.ts';
import { readBacklog } from './read-backlog.ts';
import { recordAttempts } from './record-attempts.ts';

const fixture = useFixture();
let endpoints: string[];

beforeAll(async () => {
  endpoints = [];
  for (const path of ['a', 'b', 'c']) {
    endpoints.push((await createEndpoint(fixture.context, { url: `http://127.0.0.1:9/${path}` })).id);
  }
  await emitMany(fixture.context, 4);
});

const audit = async () => {
  const sum = { accepted: 0, terminal: 0, scheduled: 0 };
  let pages = 0;
  for (let after: string | undefined = ''; after !== undefined; pages++) {
    const page: Awaited<ReturnType<typeof countDeliveriesPage>> = await countDeliveriesPage(fixture.core, after, 5);
    sum.accepted += page.accepted;
    sum.terminal += page.terminal;
    sum.scheduled += page.scheduled;
    after = page.next;
  }
  return { ...sum, pages };
};

test('due, held and scheduled deliveries are counted', async () => {
  const { core } = fixture;
  const [first = '', second = '', third = ''] = endpoints;
  expect(await readBacklog(core)).toMatchObject({ scheduled: 12, due: 12, held: 0 });

  await core.database.query("UPDATE webhook_endpoint SET status = 'disabled' WHERE id = $1", [first]);
  const claims = await claimAll(core, second);
  await recordAttempts(
    core,
    claims.map((claim, index) =>
      attemptOf(claim, index === 0 ? { kind: 'succeeded' } : { kind: 'retry', delayMs: 60_000 }),
    ),
  );
  await core.database.query("UPDATE due SET due_at = now() - interval '2 minutes' WHERE endpoint_id = $1", [third]);

  const backlog = await readBacklog(core);
  expect(backlog).toMatchObject({ scheduled: 11, due: 4, held: 4 });
  expect(Math.round(backlog.oldestDueAgeSeconds / 10)).toBe(12);
});

test('what waits on purpose is held, until the time it waits for has come', async () => {
  const own = await openFixture(inject('pgUrl'));
  const { core, context } = own;
  const { id } = await createEndpoint(context, { url: 'http://127.0.0.1:9/own', ordered: true });
  await createApiKey(context, { name: 'k', scope: 'read' });
  const set = (columns: string) => core.database.query(`UPDATE webhook_endpoint SET ${columns} WHERE id = $1`, [id]);
  const flow = (columns: string) =>
    core.database.query(`UPDATE endpoint_flow SET ${columns} WHERE endpoint_id = $1`, [id]);
  const head = (dueAt: string) => core.database.query(`UPDATE due SET due_at = ${dueAt} WHERE endpoint_id = $1`, [id]);
  await head("now() - interval '1 hour'");
  await core.database.query('INSERT INTO endpoint_flow (endpoint_id, account_id) VALUES ($1, $2)', [
    id,
    context.accountId,
  ]);
  await createApiKey(context, { name: 'behind', scope: 'read' });
  const counts = async () => {
    const { due, held, oldestDueAgeSeconds } = await readBacklog(core);
    return { due, held, old: oldestDueAgeSeconds > 3_000 };
  };
  const sent = { due: 2, held: 0, old: true };
  const waits = { due: 0, held: 2, old: false };
  expect(await counts()).toEqual(sent);
  await set("hold_until = now() + interval '1 hour'");
  expect(await counts()).toEqual(waits);
  await set("hold_until = now(), breaker = 'open', next_probe_at = now() + interval '1 minute'");
  expect(await counts()).toEqual(waits);
  // A probe is in flight.
  await set("next_probe_at = now() - interval '30 seconds'");
  expect(await counts()).toEqual(waits);
  await set("next_probe_at = now() - interval '41 seconds'");
  expect(await counts()).toEqual(sent);
  await set("breaker = 'closed', rate_limit_requests = 1, rate_limit_seconds = 3600");
  await flow("tokens = 0, tokens_at = now() - interval '59 minutes'");
  expect(await counts()).toEqual(waits);
  await flow("tokens = 0, tokens_at = now() - interval '60 minutes'");
  expect(await counts()).toEqual(sent);
  await flow('head_id = (SELECT min(delivery_id) FROM due)');
  await core.database.query(
    "UPDATE due SET due_at = now() + interval '1 day' WHERE delivery_id = (SELECT min(delivery_id) FROM due)",
  );
  expect(await counts()).toEqual({ due: 0, held: 1, old: false });
  await own.close();
});

test('the audit adds up page by page, and a delivery without its due row is missing from it', async () => {
  const { core } = fixture;
  expect(await audit()).toEqual({ accepted: 12, terminal: 1, scheduled: 11, pages: 3 });
  await core.database.query('DELETE FROM due WHERE delivery_id = (SELECT min(delivery_id) FROM due)');
  expect(await audit()).toMatchObject({ accepted: 12, terminal: 1, scheduled: 10 });
});

test('events of a traced request have its traceparent, in single statements and in transactions; others have none', async () => {
  const { core, context } = fixture;
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const traced = { ...context, database: core.database.forAccount(context.accountId, traceparent) };
  const tracesAfter = async (emit: () => Promise<unknown>) => {
    const [before] = await core.database.query<{ id: string }>('SELECT max(id) AS id FROM event');
    await emit();
    return core.database.query('SELECT traceparent FROM event WHERE id > $1 ORDER BY id', [before?.id ?? '']);
  };
  expect(await tracesAfter(() => createApiKey(traced, { name: 'traced', scope: 'read' }))).toEqual([{ traceparent }]);
  expect(await tracesAfter(() => createApiKey(context, { name: 'plain', scope: 'read' }))).toEqual([
    { traceparent: null },
  ]);
});
