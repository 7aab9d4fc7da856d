// Risk: what the figures are compared with counts a row in two months or in none.
import { expect, test } from 'vitest';
import { openZone } from '../src/kernel/calendar.ts';
import { addMonths } from '../src/modules/financials/figures/months.ts';
import { monthWindows } from './month-windows.ts';

const NOW = Date.parse('2026-03-15T12:00:00Z');

test('months follow each other without gap or overlap, the current one last and partial', () => {
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
