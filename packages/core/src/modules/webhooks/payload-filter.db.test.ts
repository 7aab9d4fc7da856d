// Risk: an endpoint gets events that its filter rejects, misses accepted ones, or a filter fails a request.
import { operations, type PayloadFilter } from '@finhook/contracts';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { evaluateFilter } from '../../../test/evaluate-filter.ts';
import { acceptsSql } from '../../outbox/emit.ts';
import type { Context } from '../../verbs/context.ts';
import { upsertCashBalance } from '../cash/balances/upsert.ts';
import { listDeliveries } from '../deliveries/read.ts';
import { getEvent } from '../events/read.ts';
import { redeliverEvent } from '../events/redeliver.ts';
import { testEndpoint } from '../events/test-endpoint.ts';
import { compileFilter } from './compile-filter.ts';
import { createEndpoint } from './create.ts';
import { updateEndpoint } from './update.ts';

const fixture = useFixture();
let context: Context;
let company: string;
beforeEach(async () => {
  ({ context, companyId: company } = await fixture.otherAccount());
});

const url = 'http://127.0.0.1:4010/hook';
const names = ['a', 'b', 'A_1', '0'];
const unicode = fc.string({
  unit: fc.constantFrom('a', 'b', '"', '\\', '$', '\n', 'é', '\ufb01', '😀', ' '),
  maxLength: 3,
});
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -1e21, 1e-7, 9007199254740991, 1.1));
const scalar = fc.oneof(unicode, number, fc.boolean(), fc.constant(null));
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));
const envelope = fc.record({ type: fc.constantFrom('a', 'b'), data: json });
const field = fc.oneof(
  fc.constant('type'),
  fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((path) => ['data', ...path].join('.')),
);
const condition = fc.oneof(
  fc.record({ op: fc.constantFrom('eq' as const, 'ne' as const), field, value: scalar }),
  fc.record({ op: fc.constant('in' as const), field, value: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    op: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
    field,
    value: fc.oneof(unicode, number),
  }),
  fc.record({ op: fc.constant('exists' as const), field, value: fc.boolean() }),
  fc.record({
    op: fc.constant('starts_with' as const),
    field,
    value: unicode.filter((text) => text !== ''),
  }),
);
function group(inner: fc.Arbitrary<PayloadFilter>): fc.Arbitrary<PayloadFilter> {
  return fc.oneof(
    { weight: 2, arbitrary: inner },
    fc.record({
      op: fc.constantFrom('all' as const, 'any' as const),
      of: fc.array(inner, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not' as const), of: inner }),
  );
}
const filter = group(group(group(condition)));

test('the database accepts exactly the events that the reference accepts', async () => {
  const seen = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(filter, envelope), { minLength: 1, maxLength: 60 }), async (cases) => {
      const rows = await fixture.core.database.query<{ accepted: boolean | null }>(
        `SELECT jsonb_path_match(event_document(body), path::jsonpath, filter) AS accepted
         FROM unnest($1::text[], $2::text[], $3::jsonb[]) WITH ORDINALITY AS c (body, path, filter, n) ORDER BY n`,
        [
          cases.map(([, event]) => JSON.stringify(event)),
          cases.map(([wanted]) => compileFilter(wanted)),
          cases.map(([wanted]) => JSON.stringify(wanted)),
        ],
      );
      const wanted = cases.map(([one, event]) => evaluateFilter(one, event));
      for (const verdict of wanted) seen.add(verdict);
      expect(rows.map(({ accepted }) => accepted)).toEqual(wanted);
    }),
    { numRuns: 100 },
  );
  expect(seen).toEqual(new Set([true, false]));
});

test('what the test makes up is what requests may hold', () => {
  const input = operations.webhookEndpoints.create.input;
  fc.assert(
    fc.property(filter, (one) => {
      expect(input.parse({ url, filter: one }).filter).toEqual(one);
    }),
  );
});

const post = (balance_cents: number, currency = 'USD') =>
  upsertCashBalance(context, { company_id: company, as_of: '2026-01-10', balance_cents, currency, source: currency });
const eventsTo = async (endpoint_id: string) =>
  (await listDeliveries(context, { limit: 50, order: 'asc', endpoint_id })).data.map(({ event_id }) => event_id);
const large = { op: 'gte', field: 'data.balance_cents', value: 1_000 } as const;

test('an event goes to the endpoints whose filter accepts it, from the moment of the change on', async () => {
  const [all, some] = [await createEndpoint(context, { url }), await createEndpoint(context, { url, filter: large })];
  const [low, high] = [await post(999), await post(1_000)];
  expect(await eventsTo(all.id)).toEqual([low.event_id, high.event_id]);
  expect(await eventsTo(some.id)).toEqual([high.event_id]);
  expect(some.filter).toEqual(large);
  await updateEndpoint(context, { endpoint_id: some.id, filter: { op: 'not', of: large } });
  const next = await post(5);
  await updateEndpoint(context, { endpoint_id: some.id, filter: null });
  const last = await post(2_000, 'EUR');
  expect(await eventsTo(some.id)).toEqual([high.event_id, next.event_id, last.event_id]);
});

test('an event names the endpoints whose filter kept it away, and no other', async () => {
  const some = await createEndpoint(context, { url, filter: large });
  await createEndpoint(context, { url, filter: large, events: ['company.created'] });
  await createEndpoint(context, { url, filter: { op: 'not', of: large } });
  const low = await post(1);
  const newer = await createEndpoint(context, { url, filter: large });
  await fixture.core.database.query("UPDATE webhook_endpoint SET created_at = now() + '1 s' WHERE id = $1", [newer.id]);
  const filtered = async (event_id: string, as = context) =>
    (await getEvent(as, { event_id, include: 'deliveries_summary' })).filtered_endpoint_ids;
  expect(await filtered(low.event_id)).toEqual([some.id]);
  // A restricted key sees neither the endpoint nor its id.
  expect(await filtered(low.event_id, { ...context, access: { companyIds: [company] } })).toEqual([]);
  // A filter that was narrowed later did not filter this event.
  const high = await post(1_000);
  await updateEndpoint(context, { endpoint_id: some.id, filter: { op: 'not', of: large } });
  expect(await filtered(high.event_id)).not.toContain(some.id);
});

test('a test event names no other endpoint as filtered out: it was meant for one', async () => {
  const tested = await createEndpoint(context, { url });
  await createEndpoint(context, { url, filter: large });
  await createEndpoint(context, { url, filter: { op: 'not', of: large } });
  const { event_id } = await testEndpoint(context, { endpoint_id: tested.id, event: 'bank.balance.updated' });
  const event = await getEvent(context, { event_id, include: 'deliveries_summary' });
  expect(event.filtered_endpoint_ids).toEqual([]);
});

test('an event is sent again to the endpoints that accept it, and to any one that is named', async () => {
  const low = await post(1);
  const [all, some] = [await createEndpoint(context, { url }), await createEndpoint(context, { url, filter: large })];
  const again = await redeliverEvent(context, { event_id: low.event_id });
  expect(again.data.map(({ endpoint_id }) => endpoint_id)).toEqual([all.id]);
  await redeliverEvent(context, { event_id: low.event_id, endpoint_id: some.id });
  expect(await eventsTo(some.id)).toEqual([low.event_id]);
});

test('a body that the database cannot parse passes the filter, and its request continues', async () => {
  const [one, other] = await fixture.core.database.query<{ accepted: boolean }>(
    `SELECT ${acceptsSql('b.body')} AS accepted FROM unnest($1::text[]) AS b (body), (SELECT $2::jsonpath AS filter_path, $3::jsonb AS filter) e`,
    [['{"data":"\\ud800"}', '{"data":"\\ud83d\\ude00"}'], compileFilter(large), JSON.stringify(large)],
  );
  expect([one, other]).toEqual([{ accepted: true }, { accepted: false }]);
});

test('the body is read for endpoints with a filter alone', async () => {
  const broken = 'CREATE OR REPLACE FUNCTION event_document(body text) RETURNS jsonb LANGUAGE plpgsql AS ';
  const [row] = await fixture.core.database.query<{ text: string }>(
    "SELECT pg_get_functiondef('event_document'::regproc) AS text",
  );
  await createEndpoint(context, { url });
  await fixture.core.database.owner.query(`${broken} $$ BEGIN RAISE EXCEPTION 'it was read'; END $$`);
  try {
    await post(1);
    await createEndpoint(context, { url, filter: large });
    await expect(post(2)).rejects.toThrow('it was read');
  } finally {
    await fixture.core.database.owner.query(row?.text ?? '');
  }
});
