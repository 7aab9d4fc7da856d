// Risk: exchange rates change without an audit row, by the wrong key, or for another account.

import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { runOperation } from '../../../test/operation-stage.ts';
import { readFeed } from '../../../test/read-all.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../verbs/context.ts';

const fixture = useFixture(createTestClock('2026-11-25T15:00:00Z'));
let context: Context;
let none: object;
beforeEach(async () => {
  ({ context } = await fixture.otherAccount());
  const empty = { base: null, as_of: null, rates: {}, source: null, created_at: null, updated_at: null };
  none = { object: 'fx_rates', account_id: context.accountId, ...empty };
});
const { get, put } = operations.fxRates;
const set = { base: 'EUR', as_of: '2026-11-25', rates: { USD: '1.0842', JPY: '162.50' }, source: 'ECB' };
const audits = () => readAudits(context, { action: 'fxRates.put' }, 'before', 'after', 'company_id');

test('an account has one set, which each request replaces as a whole', async () => {
  expect(await runOperation(context, get)).toEqual(none);
  expect(await runOperation(context, put, set)).toMatchObject({ object: 'fx_rates', ...set });
  const next = { base: 'usd', as_of: '2026-11-24', rates: { chf: '0.9', EUR: '0.92', USD: '1.0' }, source: undefined };
  const stored = await runOperation(context, put, next);
  expect(stored).toMatchObject({
    base: 'USD',
    as_of: '2026-11-24',
    rates: { CHF: '0.9', EUR: '0.92', USD: '1.0' },
    source: null,
  });
  expect(await runOperation(context, get)).toEqual(stored);
  expect(await runOperation(fixture.context, get)).toMatchObject({ base: null });
});

test('a change has one audit row and no event; the same set again changes nothing', async () => {
  const feed = (await readFeed(context)).length;
  const first = await runOperation(context, put, set);
  expect(await runOperation(context, put, { ...set, rates: { JPY: '162.50', usd: '1.0842' } })).toEqual(first);
  const second = await runOperation(context, put, { ...set, rates: { USD: '1.1' } });
  expect(await audits()).toEqual([
    { before: none, after: first, company_id: null },
    { before: first, after: second, company_id: null },
  ]);
  expect(await readFeed(context)).toHaveLength(feed);
});

test.each<[title: string, input: object, pointer: string]>([
  ['after tomorrow', { as_of: '2026-11-27' }, '/as_of'],
  ['with another rate of the base', { rates: { EUR: '1.1' } }, '/rates/EUR'],
  ['with a currency twice', { rates: { USD: '1.1', usd: '1.2' } }, '/rates'],
])('a set %s is rejected', async (_, input, pointer) => {
  await expect(runOperation(context, put, { ...set, ...input })).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ pointer }],
  });
  expect(await runOperation(context, get)).toEqual(none);
});

test('tomorrow is accepted, for companies whose day has begun', async () => {
  expect(await runOperation(context, put, { ...set, as_of: '2026-11-26' })).toMatchObject({ as_of: '2026-11-26' });
});

test.each(['0', '0.000', '-1', '1e3', '1,5', '.5', '1.', '1234567890123', '0.1234567890123', ''])(
  'the rate "%s" is rejected',
  (rate) => expect(put.input.safeParse({ ...set, rates: { USD: rate } }).success).toBe(false),
);

test.each(['0.000000000001', '999999999999.999999999999'])('the rate "%s" is accepted', (rate) =>
  expect(put.input.safeParse({ ...set, rates: { USD: rate } }).success).toBe(true),
);

test('a key of some companies reads the rates and cannot replace them', async () => {
  await runOperation(context, put, set);
  const restricted: Context = { ...context, access: { companyIds: ['co_1'] } };
  expect(await runOperation(restricted, get)).toMatchObject(set);
  await expect(runOperation(restricted, put, { ...set, rates: { USD: '2' } })).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
});
