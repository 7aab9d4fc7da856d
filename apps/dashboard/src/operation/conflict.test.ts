// Risk: a form replaces a change of somebody else unseen, or asks about a change that nobody else made.
import { expect, test } from 'vitest';
import { changedByOthers } from './conflict.tsx';

const before = { name: 'One', note: null, tags: ['a'], updated_at: '1' };

test.each([
  ['a field that only others changed', { ...before, name: 'Two' }, { note: 'Mine' }, {}],
  ['a field that both changed', { ...before, name: 'Two' }, { name: 'Mine' }, { name: 'Two' }],
  ['a list that both changed', { ...before, tags: ['a', 'b'] }, { tags: ['a', 'c'] }, { tags: ['a', 'b'] }],
  ['the same change by both', { ...before, name: 'Mine' }, { name: 'Mine' }, {}],
  ['a field that others emptied', { ...before, name: null }, { name: 'Mine' }, { name: null }],
  ['an empty field that is absent on one side', { ...before, note: undefined }, { note: 'Mine' }, {}],
  ['a field that the record does not have', before, { reason: 'Because' }, {}],
  ['a time of the record', { ...before, updated_at: '2' }, { name: 'Mine' }, {}],
])('%s', (_, now, mine, conflict) => {
  expect(changedByOthers(before, now, mine, Object.keys(mine))).toEqual(conflict);
});

test('a form that replaces the whole record asks about the fields that it leaves out', () => {
  expect(changedByOthers(before, { ...before, note: 'Theirs' }, { name: 'One' }, ['name', 'note'])).toEqual({
    note: 'Theirs',
  });
});
