// Risk: an event type without a thin form, or with one that its documentation does not describe.
import { expect, test } from 'vitest';
import { allEventTypes, eventDefinition, thinData } from './index.ts';

test.each(allEventTypes)(
  'the thin form of %s names its record, and its sample has the form that is documented',
  (type) => {
    const { data, sample, thin } = eventDefinition(type);
    const made = thinData(type, sample);
    expect(thin.schema.strict().parse(made)).toEqual(made);
    expect(made).toMatchObject({ object: sample['object'] });
    expect(Object.keys(made).some((name) => name === 'id' || name === 'ingest_id' || name === 'company_id')).toBe(true);
    for (const [field] of Object.values(thin.sources)) expect(Object.keys(data.shape)).toContain(field);
  },
);

/** Words of fields whose values a caller writes. */
const content =
  /name|title|body|description|note|reason|memo|amount|balance|cents|url|email|phone|payload|input|output|message/;

test.each(allEventTypes)('the thin form of %s has no content', (type) => {
  expect(Object.keys(eventDefinition(type).thin.sources).filter((name) => content.test(name))).toEqual([]);
});

test('the thin form of a batch has the IDs of its rows, in their order, and none of an empty one', () => {
  const batch = { object: 'transaction_batch', transactions: [{ id: 'txn_2' }, { id: 'txn_1' }] };
  expect(thinData('bank.transaction.posted', batch)).toMatchObject({ transaction_ids: ['txn_2', 'txn_1'] });
  expect(thinData('bank.transaction.posted', { transactions: [] })['transaction_ids']).toEqual([]);
});

test('the thin form of an event about a part of a record names the part, or null without one', () => {
  const { sample } = eventDefinition('agent.paused');
  const { binding } = sample as { binding: { id: string; company_id: string } };
  expect(thinData('agent.paused', sample)).toMatchObject({ binding_id: binding.id, company_id: binding.company_id });
  expect(thinData('agent.paused', { ...sample, binding: null })).toMatchObject({ binding_id: null, company_id: null });
});
