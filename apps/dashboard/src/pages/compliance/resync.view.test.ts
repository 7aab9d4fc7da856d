// Risk: a person agrees to a resync that creates more than it said.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { plannedChanges, type Resync, resyncSummary, submitText } from './resync.view.ts';

const resync = (fields: Partial<Resync> = {}) =>
  partial<Resync>({
    items_added: 0,
    items_changed: 0,
    items_removed: 0,
    filings_opened: 0,
    filings_left_open: [],
    ...fields,
  });
const planned = partial<NonNullable<Resync['planned_filings']>[number]>({ title: 'Form 941' });

test('the button says how many filings it creates', () => {
  expect(submitText(resync({ planned_filings: [planned] }))).toBe('Create 1 filing');
  expect(submitText(resync({ planned_filings: [planned, planned] }))).toBe('Create 2 filings');
  expect(submitText(resync({ planned_filings: [] }))).toBe('Update');
});

test('changes of the matrix are named before and after; none is no text', () => {
  expect(plannedChanges(resync())).toBeUndefined();
  expect(plannedChanges(resync({ items_added: 3, items_removed: 1 }))).toBe(
    'This adds 3 obligations, changes 0 and removes 1.',
  );
  expect(resyncSummary(resync({ items_added: 1, filings_opened: 2, filings_left_open: ['fil_1'] }))).toBe(
    '1 obligation added, 0 changed, 0 removed. 2 filings created. 1 open filing no longer applies.',
  );
});
