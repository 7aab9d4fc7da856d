// Risk: a form overwrites fields that the user did not edit.
import { expect, test } from 'vitest';
import { dirtyFields } from './dirty-fields.ts';

const record = {
  id: 'x_1',
  name: 'One',
  model: 'l-2',
  phone: null,
  metadata: { team: 'a', zone: 'b' },
  ids: ['1', '2'],
};
const { id: _, ...fields } = record;

test('a form that changes nothing names nothing, whatever the order of keys', () => {
  expect(dirtyFields(record, fields)).toEqual({});
  expect(dirtyFields(record, { ...fields, metadata: { zone: 'b', team: 'a' }, ids: ['1', '2'] })).toEqual({});
});

test('what was changed, emptied or moved is named', () => {
  expect(dirtyFields(record, { ...fields, model: null, phone: '+14155550123' })).toEqual({
    model: null,
    phone: '+14155550123',
  });
  expect(dirtyFields(record, { ...fields, metadata: {}, ids: ['2', '1'] })).toEqual({
    metadata: {},
    ids: ['2', '1'],
  });
});
