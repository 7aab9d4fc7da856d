// Risk: burn is averaged over a month that is not whole, or a row belongs to two months or to none.
import { expect, test } from 'vitest';
import { openZone } from '../../kernel/zone.ts';
import { addMonths, burnWindow, coverageStart, monthWindows } from './months.ts';

const NOW = Date.parse('2026-03-15T12:00:00Z');

test('C36: months follow each other without gap or overlap, the current one last and partial', () => {
  for (const name of ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia']) {
    const zone = openZone(name);
    const windows = monthWindows(NOW, zone, 12);
    expect(windows.map(({ month }) => month)).toEqual(Array.from({ length: 13 }, (_, i) => addMonths('2025-03', i)));
    expect(windows.map(({ partial }) => partial)).toEqual([...Array.from({ length: 12 }, () => false), true]);
    windows.slice(1).forEach(({ from }, i) => expect(from).toBe(windows[i]?.to));
    for (const { month, from, to } of windows) {
      expect(zone.dayOf(Date.parse(from))).toBe(`${month}-01`);
      expect(zone.dayOf(Date.parse(to) - 1).slice(0, 7)).toBe(month);
    }
  }
});

test('the month of now is that of the company’s zone', () => {
  const edge = Date.parse('2026-03-01T03:00:00Z');
  expect(monthWindows(edge, openZone('America/New_York'), 0).map(({ month }) => month)).toEqual(['2026-02']);
  expect(monthWindows(edge, openZone('Asia/Tokyo'), 0).map(({ month }) => month)).toEqual(['2026-03']);
});

test.each([
  ['no transactions', undefined, undefined, undefined],
  ['the month after the first transaction', '2026-01-01', undefined, '2026-02'],
  ['the first whole month of the promised history', '2026-01-20', '2025-11-02', '2025-12'],
  ['a history that begins with a month', '2026-01-20', '2025-11-01', '2025-11'],
])('coverage starts with %s', (_, firstDay, historyFrom, expected) => {
  expect(coverageStart({ firstDay, historyFrom })).toBe(expected);
});

test('the window is the last three complete months inside the coverage', () => {
  expect(burnWindow('2026-03-15', '2025-01')).toEqual(['2025-12', '2026-01', '2026-02']);
  expect(burnWindow('2026-03-15', '2026-02')).toEqual(['2026-02']);
  expect(burnWindow('2026-03-31', '2026-03')).toEqual([]);
  expect(burnWindow('2026-03-15', undefined)).toEqual([]);
});
