// Risk: half a word becomes a category, or a second spelling of one that exists does.
import { expect, test } from 'vitest';
import { entriesFor, sameAs, shownFor } from './suggest-field.view.ts';

const stored = ['office supplies', 'software', 'Cloud Hosting', 'office', 'microsoft', '交通'];
const texts = (text: string, mayCreate = true): readonly string[] =>
  entriesFor(stored, text, mayCreate).map((entry) => (entry.isNew ? `+ ${entry.text}` : entry.text));

test.each([
  ['softw', ['software', '+ softw']],
  // The one that begins so, before the one that contains it.
  ['soft', ['software', 'microsoft', '+ soft']],
  ['office', ['office', 'office supplies']],
  [' OFFICE ', ['office', 'office supplies']],
  ['cloud-hosting', ['Cloud Hosting']],
  ['  new   one ', ['+ new   one']],
  ['交', ['交通', '+ 交']],
  ['事務', ['+ 事務']],
  ['&', ['+ &']],
])('%j suggests %j', (text, expected) => {
  expect(texts(text)).toEqual(expected);
});

test('a text without letters suggests everything and creates nothing', () => {
  expect(texts('')).toEqual(stored);
  expect(texts('  ')).toEqual(stored);
});

test('nothing is created before the suggestions are known', () => {
  expect(texts('softw', false)).toEqual(['software']);
  expect(entriesFor([], 'softw', false)).toEqual([]);
});

test('a text is a suggestion in any spelling, the exact one first', () => {
  expect(sameAs(stored, 'Software')).toBe('software');
  expect(sameAs(['Rent', 'rent'], 'rent ')).toBe('rent');
  expect(sameAs(stored, 'softw')).toBeUndefined();
  expect(sameAs(stored, '')).toBeUndefined();
});

test.each([
  ['office', undefined, false],
  ['office', ' office', false],
  ['office', 'Office', false],
  ['office', 'software', true],
  ['', 'softw', true],
])('with the value %j, %j is unchosen: %j', (value, typed, expected) => {
  expect(shownFor(value, typed, stored).isUnchosen).toBe(expected);
});

test('before the suggestions are read, only the value itself is chosen', () => {
  expect(shownFor('', 'software', undefined)).toEqual({ text: 'software', isUnchosen: true, entries: [] });
  expect(shownFor('new', 'new', undefined).isUnchosen).toBe(false);
});
