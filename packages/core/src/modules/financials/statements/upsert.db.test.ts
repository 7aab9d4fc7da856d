// Risk: a replaced statement keeps parts of the old one, or two posts at once are mixed.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { createCompany } from '../../companies/create.ts';
import { getEvent } from '../../events/read.ts';
import { getSnapshot, listSnapshots } from './read.ts';
import { upsertSnapshot } from './upsert.ts';

type Input = Parameters<typeof upsertSnapshot>[1];

const fixture = useFixture();
const { context } = fixture;
let company: string;
beforeEach(async () => {
  company = (await createCompany(context, { name: 'Books Inc' })).id;
});

const post = (more: Partial<Input> = {}) =>
  upsertSnapshot(context, {
    company_id: company,
    statement_type: 'income',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
    currency: 'USD',
    totals: { revenue: 100 },
    ...more,
  });
/** A statement with `n` in every part. */
const marked = (n: number): Partial<Input> => ({
  totals: { revenue: n, net_income: n },
  line_items: Array.from({ length: 20 }, (_, i) => ({ key: `k${i}`, label: `${n}`, amount_cents: n })),
  source: `s${n}`,
});
const marks = (snapshot: {
  totals: Record<string, number>;
  line_items: { label: string; amount_cents: number }[];
  source: string;
}) =>
  new Set([
    ...Object.values(snapshot.totals).map(String),
    ...snapshot.line_items.flatMap(({ label, amount_cents }) => [label, String(amount_cents)]),
    snapshot.source.slice(1),
  ]);
const revisions = () =>
  context.database.query<{
    revision: number;
    totals: Record<string, number>;
    line_items: { label: string; amount_cents: number }[];
    source: string;
  }>(
    `SELECT r.* FROM financial_snapshot_revision r JOIN financial_snapshot s ON s.id = r.snapshot_id
     WHERE s.company_id = $1 ORDER BY r.revision`,
    [company],
  );

test('concurrent posts of one period leave one current statement and revisions without gaps or mixtures', async () => {
  const answers = await Promise.all(Array.from({ length: 15 }, (_, i) => post(marked(i))));
  expect(answers.map(({ revision }) => revision).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 15 }, (_, i) => i + 1),
  );
  const { data } = await listSnapshots(context, { company_id: company, limit: 200, order: 'asc' });
  expect(data.map(({ revision }) => revision)).toEqual([15]);
  const kept = await revisions();
  expect(kept.map(({ revision }) => revision)).toEqual(Array.from({ length: 14 }, (_, i) => i + 1));
  for (const snapshot of [...kept, ...data]) expect(marks(snapshot).size).toBe(1);
  const reported = (await readFeed(context, 'financial.snapshot.updated')).filter(
    (event) => event.company_id === company,
  );
  expect(reported.map((event) => event.data['revision'])).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
  expect(reported.at(-1)?.data['totals']).toEqual(data[0]?.totals);
});

test('nothing of the replaced statement survives in the new one', async () => {
  const first = await post({
    totals: { revenue: 1, odd: 2 },
    line_items: [{ key: 'a', label: 'A', amount_cents: 1, is_total: true, indent: 3 }],
    source: 'x',
  });
  const second = await post({ period_start: '2025-12-01', currency: 'eur', totals: { cogs: 5 } });
  expect(second).toMatchObject({
    id: first.id,
    result: 'replaced',
    revision: 2,
    replaced_revision_id: `${first.id}.1`,
    created_at: first.created_at,
  });
  expect([second.totals, second.line_items, second.source, second.period_start, second.currency]).toEqual([
    { cogs: 5 },
    [],
    'api',
    '2025-12-01',
    'EUR',
  ]);
  const read = await getSnapshot(context, { company_id: company, snapshot_id: first.id });
  expect(second).toMatchObject(read);
  expect((await getEvent(context, { event_id: second.event_id })).data).toEqual({
    ...read,
    result: 'replaced',
    checks: second.checks,
  });
  expect(second.warnings.map(({ code }) => code)).toEqual(['period_changed', 'currency_changed']);
  expect(second.warnings[1]).toMatchObject({ stored_currency: 'USD' });
  expect(await revisions()).toMatchObject([{ revision: 1, totals: { revenue: 1, odd: 2 }, source: 'x' }]);
});

test('a reader meanwhile sees one whole statement, old or new', async () => {
  const { id } = await post(marked(0));
  let writing = true;
  const seen = new Set<string>();
  const reader = (async () => {
    while (writing) {
      const snapshot = await getSnapshot(context, { company_id: company, snapshot_id: id });
      const found = marks(snapshot);
      expect(found.size).toBe(1);
      expect(snapshot.revision).toBe(Number([...found][0]) + 1);
      for (const mark of found) seen.add(mark);
    }
  })();
  for (let i = 1; i <= 60; i++) await post(marked(i));
  writing = false;
  await reader;
  expect(seen.size).toBeGreaterThan(1);
});

test('keys like __proto__ and constructor are data like any other, everywhere', async () => {
  const text = '{"__proto__":1,"constructor":2,"prototype":3,"toString":4,"hasOwnProperty":5,"revenue":6}';
  const answer = await post({ totals: JSON.parse(text) });
  const read = await getSnapshot(context, { company_id: company, snapshot_id: answer.id });
  const event = await getEvent(context, { event_id: answer.event_id });
  for (const totals of [answer.totals, read.totals, event.data['totals']]) expect(JSON.stringify(totals)).toBe(text);
  expect((await post({ totals: JSON.parse(text) })).result).toBe('unchanged');
  expect((await post({ totals: JSON.parse(text.replace('1', '9')) })).result).toBe('replaced');
  expect(Object.keys({})).toEqual([]);
  expect(Reflect.get({}, 'revenue')).toBeUndefined();
});

test('line items keep their order and repeated keys; amounts of −0 become 0', async () => {
  const keys = ['z', 'a', 'z', '__proto__'];
  const answer = await post({
    line_items: keys.map((key) => ({ key, label: '', amount_cents: -0 })),
    totals: { revenue: -0 },
  });
  const read = await getSnapshot(context, { company_id: company, snapshot_id: answer.id });
  expect(read.line_items).toEqual(keys.map((key) => ({ key, label: '', amount_cents: 0, is_total: false, indent: 0 })));
  expect(JSON.stringify([read.totals, answer.totals])).toBe('[{"revenue":0},{"revenue":0}]');
});

test.each<[string, Partial<Input>, string, string]>([
  ['an income statement without its start', { period_start: null }, '/period_start', 'required'],
  ['a start after the end', { period_start: '2026-02-01' }, '/period_start', 'date_out_of_range'],
  ['neither totals nor lines', { totals: null }, '/totals', 'required'],
  ['totals without an entry', { totals: {} }, '/totals', 'required'],
  ['lines without an entry', { totals: null, line_items: [] }, '/line_items', 'required'],
  ['totals and lines without an entry', { totals: {}, line_items: [] }, '/totals', 'required'],
  ['a period end out of reach', { period_end: '2099-01-01' }, '/period_end', 'date_out_of_range'],
  [
    'a period before 1970',
    { period_start: '1969-12-01', period_end: '1969-12-31' },
    '/period_end',
    'date_out_of_range',
  ],
])('%s is rejected', async (_, fault, pointer, code) => {
  await expect(post(fault)).rejects.toMatchObject({ code: 'validation_failed' });
  const error: unknown = await post(fault).catch((rejection: unknown) => rejection);
  expect(Reflect.get(Object(error), 'fields')).toContainEqual(expect.objectContaining({ pointer, code }));
});

test('an empty list beside entries is no error', async () => {
  expect((await post({ line_items: [] })).totals).toEqual({ revenue: 100 });
  const line_items = [{ key: 'revenue', label: 'Revenue', amount_cents: 100 }];
  expect((await post({ totals: {}, line_items })).line_items).toHaveLength(1);
});

test('a balance sheet without a start begins on its last day', async () => {
  expect((await post({ statement_type: 'balance', period_start: null })).period_start).toBe('2026-01-31');
});
