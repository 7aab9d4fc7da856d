// Risk: the palette hides what was searched, or shows one person what another opened.
import { expect, test } from 'vitest';
import { type Entry, MAX_RECENT, matching, readRecent, shownGroups, withRecent } from './palette.view.ts';

const entries: readonly Entry[] = [
  { id: '1', label: 'Bank connections' },
  { id: '2', label: 'Send test event', about: 'ERP import' },
  { id: '3', label: 'Events of ERP' },
];
const labels = (text: string, limit = 5) => matching(entries, text, limit).map(({ label }) => label);

test('an entry matches if its label and what it is about contain each word, in any case and order', () => {
  expect(labels('erp SEND')).toEqual(['Send test event']);
  expect(labels('connect')).toEqual(['Bank connections']);
  expect(labels('erp nothing')).toEqual([]);
  expect(labels('')).toHaveLength(3);
});

test('a hint, which many entries have, finds none of them', () => {
  const categories = ['Software', 'Transaction fees'].map(
    (label): Entry => ({ id: label, label, hint: 'Transactions' }),
  );
  expect(matching(categories, 'transaction', 5).map(({ label }) => label)).toEqual(['Transaction fees']);
});

test('entries that begin with the text come first, then those that contain it, then those that are about it', () => {
  expect(labels('event')).toEqual(['Events of ERP', 'Send test event']);
  expect(labels('event', 1)).toEqual(['Events of ERP']);
  expect(labels('e')).toEqual(['Events of ERP', 'Bank connections', 'Send test event']);
  expect(labels('erp')).toEqual(['Events of ERP', 'Send test event']);
});

test('groups without entries are left out', () => {
  expect(
    shownGroups([
      { label: 'Pages', items: [] },
      { label: 'Vendors', items: entries },
    ]).map(({ label }) => label),
  ).toEqual(['Vendors']);
});

test('what was opened last comes first, once each, and another session starts without it', () => {
  let stored: string | null = null;
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'b']) {
    stored = withRecent(readRecent(stored, 'ses_1'), { label: name, href: `/${name}` }, 'ses_1');
  }
  const recent = readRecent(stored, 'ses_1');
  expect(recent.map(({ label }) => label)).toEqual(['b', 'f', 'e', 'd', 'c']);
  expect(recent).toHaveLength(MAX_RECENT);
  expect(readRecent(stored, 'ses_2')).toEqual([]);
  expect(readRecent(null, 'ses_1')).toEqual([]);
});
