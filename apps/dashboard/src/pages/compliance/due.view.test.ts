// Risk: an overdue filing is not at the top of the list, or a due date is missing.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import type { Filing, Matrix } from './calendar.view.ts';
import { dueGroups, dueText } from './due.view.ts';

const filing = (id: string, due_date: string, status: Filing['status'] = 'open') =>
  partial<Filing>({ id, title: id, due_date, status, jurisdiction: 'US' });

test('due dates are grouped into overdue, the next 30 days and later, each group by day; what is submitted is left out', () => {
  const filings = [
    filing('later', '2026-04-01'),
    filing('last day', '2026-03-31'),
    filing('today', '2026-03-01'),
    filing('yesterday', '2026-02-28'),
    filing('old', '2025-10-31'),
    filing('done', '2026-03-02', 'submitted'),
  ];
  const groups = dueGroups(filings, partial<Matrix>({ items: [] }), '2026-03-01');
  expect(groups.map(({ title, due }) => [title, due.map((one) => [one.title, one.days])])).toEqual([
    [
      'Overdue',
      [
        ['old', -121],
        ['yesterday', -1],
      ],
    ],
    [
      'Next 30 days',
      [
        ['today', 0],
        ['last day', 30],
      ],
    ],
    ['Later', [['later', 31]]],
  ]);
});

test('an obligation without a filing has a due date of its own, once', () => {
  const matrix = partial<Matrix>({
    items: [
      {
        key: 'us-de.report',
        title: 'Annual report',
        jurisdiction: 'US-DE',
        due_dates: [
          { due_date: '2026-03-01', filing_id: 'fil_1', status: 'open' },
          { due_date: '2027-03-01', filing_id: null, status: 'upcoming' },
          { due_date: '2025-03-01', filing_id: null, status: 'submitted' },
        ],
      },
    ],
  });
  const groups = dueGroups([filing('fil_1', '2026-03-01')], matrix, '2026-02-01');
  expect(groups.map(({ due }) => due.map(({ day, filing: own }) => [day, own?.id]))).toEqual([
    [['2026-03-01', 'fil_1']],
    [['2027-03-01', undefined]],
  ]);
});

test('without the obligations the filings are listed alone', () => {
  const groups = dueGroups([filing('old', '2025-10-31')], undefined, '2026-03-01');
  expect(groups.map(({ title, due }) => [title, due.length])).toEqual([['Overdue', 1]]);
});

test.each([
  [-26, '26 days overdue'],
  [-1, '1 day overdue'],
  [0, 'Due today'],
  [1, 'Due tomorrow'],
  [12, 'Due in 12 days'],
])('%i days before the due date: %s', (days, text) => {
  expect(dueText(days)).toBe(text);
});
