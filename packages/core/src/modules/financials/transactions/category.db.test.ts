// Risk: a list, a filter or an event has another category than the figures, or a resend replaces a person's category.
import type { FlowRule } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { changeRows } from '../../../../test/change-rows.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { recomputeCategory } from '../../../../test/recompute-classes.ts';
import { defaultRules } from '../../../../test/rules-of.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { getTransaction } from '../../bank/transactions/transaction.ts';
import { createCompany } from '../../companies/create.ts';
import { getBurn } from '../figures/get-figures.ts';
import { updateSettings } from '../figures/settings.ts';
import { applyFlowRules } from '../rollup/apply-flow-rules.ts';
import { bulkUpdateTransactions } from './bulk.ts';
import { listTransactions } from './list.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Categories Inc', timezone: 'UTC' })).id;
});

type Sent = Partial<
  Extract<Parameters<typeof ingestTransactions>[1], { transactions: unknown }>['transactions'][number]
>;
const rowOf = (external_id: string, more: Sent = {}) => ({
  posted_at: '2026-10-10T12:00:00Z',
  amount_cents: -100,
  currency: 'USD',
  ...more,
  external_id,
});
const post = (...transactions: ReturnType<typeof rowOf>[]) => ingestTransactions(context, { company_id, transactions });
const resend = (...transactions: ReturnType<typeof rowOf>[]) =>
  ingestTransactions(context, { company_id, transactions, on_duplicate: 'update' });
const setRules = (...flow_rules: FlowRule[]) => updateSettings(context, { company_id, flow_rules });
type Filters = Partial<Parameters<typeof listTransactions>[1]>;
const list = async (more: Filters = {}) =>
  (await listTransactions(context, { company_id, limit: 500, order: 'asc', ...more })).data;
const categories = async () =>
  Object.fromEntries(
    (await list()).map((row) => [row.external_id, [row.category, row.posted_category, row.category_reason]]),
  );
const eventRows = async () =>
  (await readFeed(context))
    .filter((event) => event.company_id === company_id && event.type.startsWith('bank.transaction.'))
    .map(({ data }) => Array.from<Record<string, unknown>>(Object(data['transactions'])));

test('a person decides before the rules, and the first rule that sets a category before the posted one', async () => {
  await setRules(
    { contains: 'acme', flow_class: 'excluded' },
    { contains: 'acme corp', category: 'clients' },
    { contains: 'acme', flow_class: 'counted', category: 'vendors' },
  );
  const { transactions } = await post(
    rowOf('corp', { counterparty: 'ACME  Corp', category: 'misc' }),
    rowOf('other', { counterparty: 'Acme' }),
    rowOf('own', { counterparty: 'Acme' }),
    rowOf('posted', { category: 'misc' }),
    rowOf('none'),
  );
  await changeRows(context, company_id, ['own'], { own_category: 'gifts' });
  expect(await categories()).toEqual({
    corp: ['clients', 'misc', 'rule'],
    other: ['vendors', null, 'rule'],
    own: ['gifts', null, 'person'],
    posted: ['misc', 'misc', 'posted'],
    none: [null, null, null],
  });
  const [posted = [], changed] = await eventRows();
  expect(posted).toEqual(transactions);
  expect(posted.map(({ category }) => category)).toEqual(['clients', 'vendors', 'vendors', 'misc', null]);
  const previous = { category: 'vendors', category_reason: 'rule' };
  expect(changed).toMatchObject([{ changed: ['category', 'category_reason'], previous, category: 'gifts' }]);
  await changeRows(context, company_id, ['own'], { own_category: null });
  expect((await list({ external_id: 'own' }))[0]).toMatchObject({ category: 'vendors', category_reason: 'rule' });
});

test('rules match the posted text, so a category that a rule or a person set makes no other rule match', async () => {
  await setRules({ contains: 'hosting', category: 'travel' }, { contains: 'travel', category: 'wrong' });
  await post(rowOf('a', { description: 'hosting' }), rowOf('b', { category: 'travel' }), rowOf('c', { category: 'x' }));
  await changeRows(context, company_id, ['c'], { own_category: 'hosting' });
  expect(await categories()).toEqual({
    a: ['travel', null, 'rule'],
    b: ['wrong', 'travel', 'rule'],
    c: ['hosting', 'x', 'person'],
  });
  await changeRows(context, company_id, ['c'], { own_category: null });
  expect(await categories()).toMatchObject({ c: ['x', 'x', 'posted'] });
});

test('a resend changes the posted category; a person’s stays, and a rule looks at the new text', async () => {
  await setRules({ contains: 'flight', direction: 'out', category: 'travel' });
  await post(rowOf('own', { category: 'meals' }), rowOf('ruled', { category: 'meals', description: 'Flight' }));
  await changeRows(context, company_id, ['own'], { own_category: 'rent' });
  expect((await resend(rowOf('own', { category: 'tax' }))).updated_transactions).toMatchObject([
    { changed: ['posted_category'], previous: { posted_category: 'meals' } },
  ]);
  expect(await resend(rowOf('own', { category: 'tax' }))).toMatchObject({ updated: 0, skipped: 1 });
  expect(
    (await resend(rowOf('ruled', { category: 'meals', description: 'Lunch' }))).updated_transactions,
  ).toMatchObject([
    {
      changed: ['description', 'category', 'category_reason'],
      previous: { category: 'travel', category_reason: 'rule', description: 'Flight' },
    },
  ]);
  const more = { category: 'meals', description: 'Flight', amount_cents: 5 };
  expect((await resend(rowOf('ruled', more))).updated_transactions).toMatchObject([
    { changed: ['amount_cents', 'description'] },
  ]);
  expect(await categories()).toEqual({ own: ['rent', 'tax', 'person'], ruled: ['meals', 'meals', 'posted'] });
  expect(await post(rowOf('own', { category: 'other' }))).toMatchObject({
    skipped_transactions: [{ reason: 'duplicate', differs: ['category'] }],
  });
});

test('a bulk change sets and takes back the category of the rows that a filter selects by their category', async () => {
  await setRules({ contains: 'uber', category: 'travel' });
  await post(...['a', 'b'].map((id) => rowOf(id, { description: 'Uber' })), rowOf('c', { category: 'travel' }));
  const change = (category: string, to: string | null, expected_count: number) =>
    bulkUpdateTransactions(context, { company_id, filter: { category }, set: { category: to }, expected_count });
  expect(await change('travel', 'taxi', 3)).toMatchObject({ updated: 3 });
  expect(await change('taxi', 'taxi', 3)).toMatchObject({ updated: 0, unchanged: 3 });
  await expect(change('travel', 'taxi', 1)).rejects.toMatchObject({ code: 'count_changed' });
  expect(await change('taxi', null, 3)).toMatchObject({ updated: 3 });
  expect(await change('travel', null, 3)).toMatchObject({ updated: 0 });
});

test('setting the posted category keeps it when the sender changes its own', async () => {
  await post(rowOf('a', { category: 'rent' }));
  await changeRows(context, company_id, ['a'], { own_category: 'rent' });
  expect((await eventRows()).at(-1)).toMatchObject([{ changed: ['category_reason'] }]);
  await resend(rowOf('a', { category: 'misc' }));
  expect(await categories()).toEqual({ a: ['rent', 'misc', 'person'] });
});

test('rows have the category of the earlier rules, as the figures have, until the sums are made again', async () => {
  await post(rowOf('a', { description: 'hotel' }));
  await getBurn(context, { company_id });
  await setRules({ contains: 'hotel', category: 'travel' });
  await post(rowOf('b', { description: 'hotel' }));
  for (const found of [await list(), await list({ month: '2026-10' })])
    expect(found.map(({ category }) => category)).toEqual([null, null]);
  await applyFlowRules(fixture.core);
  for (const found of [await list({ category: 'travel' }), await list({ month: '2026-10', category: 'travel' })])
    expect(found.map(({ category }) => category)).toEqual(['travel', 'travel']);
});

const words = ['acme', 'hotel', 'Acme Hotel', 'rent', 'travel'] as const;
const word = fc.constantFrom(...words);
const maybe = fc.option(word, { nil: null });
const anyRow = fc.record({
  sent: fc.record({
    category: maybe,
    counterparty: maybe,
    description: fc.constantFrom('', ...words),
    amount_cents: fc.constantFrom(-5, 5),
  }),
  own: maybe,
});
const anyRule = fc
  .record({
    contains: word,
    direction: fc.constantFrom('in' as const, 'out' as const, undefined),
    category: fc.option(word, { nil: undefined }),
  })
  .map(({ contains, direction, category }) => ({
    contains,
    ...(direction && { direction }),
    ...(category === undefined ? { flow_class: 'counted' as const } : { category }),
  }));

test('for any rows, rules and persons’ categories, each reader has the category that decides', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRow, { minLength: 1, maxLength: 12 }),
      fc.array(anyRule, { maxLength: 4 }),
      async (rows, flowRules) => {
        company_id = (await createCompany(context, { name: 'Any Inc', timezone: 'UTC' })).id;
        await setRules(...flowRules);
        await post(...rows.map(({ sent }, i) => rowOf(`t${i}`, sent)));
        for (const [i, { own }] of rows.entries())
          if (own !== null) await changeRows(context, company_id, [`t${i}`], { own_category: own });
        const expected = new Map(
          rows.map(({ sent: { category, counterparty, description, amount_cents: amount }, own }, i) => {
            const texts = { postedCategory: category ?? '', counterparty: counterparty ?? '', description };
            const rules = { ...defaultRules, flowRules };
            return [`t${i}`, recomputeCategory({ ...texts, amount, own: own ?? '' }, rules) || null] as const;
          }),
        );
        const of = (found: readonly { external_id: string; category: string | null }[]) =>
          new Map(found.map(({ external_id, category }) => [external_id, category]));
        const all = await list();
        expect(of(all)).toEqual(expected);
        expect(of(await list({ month: '2026-10' }))).toEqual(expected);
        for (const category of words) {
          const selected = new Map([...expected].filter(([, one]) => one === category));
          expect(of(await list({ category }))).toEqual(selected);
          expect(of(await list({ category, month: '2026-10' }))).toEqual(selected);
        }
        for (const { id, ...row } of all.slice(0, 2))
          expect(await getTransaction(context, { company_id, transaction_id: id })).toEqual({ id, ...row });
      },
    ),
    { numRuns: 12 },
  );
});
