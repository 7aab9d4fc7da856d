// Risk: the calendar shows a due date on the wrong day, or lacks one.
import { describe, expect, test } from 'vitest';
import { monthAfter } from '../../lib/periods.ts';
import { partial } from '../../test/partial.ts';
import { entriesByDay, type Filing, type Matrix, overdueElsewhere, weeksOf } from './calendar.view.ts';

describe('the weeks of a month', () => {
  test.each([
    ['2026-02', 5, '2026-01-26', '2026-03-01'],
    ['2027-02', 4, '2027-02-01', '2027-02-28'],
    ['2026-03', 6, '2026-02-23', '2026-04-05'],
    ['2026-12', 5, '2026-11-30', '2027-01-03'],
  ])('%s has %i weeks from %s to %s', (month, count, first, last) => {
    const weeks = weeksOf(month);
    expect(weeks).toHaveLength(count);
    expect(weeks[0]?.[0]).toBe(first);
    expect(weeks.at(-1)?.at(-1)).toBe(last);
  });

  test('every week of forty years has seven consecutive days', () => {
    for (let month = '2000-01'; month < '2040-01'; month = monthAfter(month, 1)) {
      const days = weeksOf(month).flat();
      const inMonth = days.filter((day) => day.startsWith(month)).length;
      const [year = 0, number = 0] = month.split('-').map(Number);
      expect(inMonth).toBe(new Date(Date.UTC(year, number, 0)).getUTCDate());
      expect(days.length % 7).toBe(0);
      expect(days).toEqual([...new Set(days)].sort());
    }
  });
});

test('a due date appears once, as its filing or else as the obligation', () => {
  const filings = [
    partial<Filing>({ id: 'fil_1', title: 'Annual report', due_date: '2026-03-01', status: 'open', overdue: true }),
  ];
  const matrix = partial<Matrix>({
    items: [
      {
        key: 'us-de.report',
        title: 'Annual report',
        due_dates: [
          { due_date: '2026-03-01', filing_id: 'fil_1', status: 'overdue' },
          { due_date: '2027-03-01', filing_id: null, status: 'upcoming' },
        ],
      },
    ],
  });
  const days = entriesByDay(filings, matrix);
  expect([...days.keys()]).toEqual(['2026-03-01', '2027-03-01']);
  expect(days.get('2026-03-01')).toMatchObject([{ filingId: 'fil_1', status: 'overdue' }]);
  expect(days.get('2027-03-01')?.[0]).not.toHaveProperty('filingId');
});

test('every month starts with the overdue filings and obligations of other months', () => {
  const late = (id: string, due_date: string) =>
    partial<Filing>({ id, title: id, due_date, status: 'open', overdue: true });
  const filings = [late('fil_1', '2026-10-31'), late('fil_2', '2026-11-02')];
  const matrix = partial<Matrix>({
    items: [
      {
        key: 'us.941',
        title: 'Form 941',
        due_dates: [
          { due_date: '2026-04-30', filing_id: null, status: 'overdue' },
          { due_date: '2026-07-31', filing_id: null, status: 'upcoming' },
          { due_date: '2026-10-31', filing_id: 'fil_1', status: 'overdue' },
        ],
      },
    ],
  });
  const daysOf = (month: string) => overdueElsewhere(month, filings, matrix).map(({ day }) => day);
  expect(daysOf('2026-11')).toEqual(['2026-04-30', '2026-10-31']);
  expect(daysOf('2026-10')).toEqual(['2026-04-30', '2026-11-02']);
  expect(daysOf('2026-12')).toEqual(['2026-04-30', '2026-10-31', '2026-11-02']);
});
