// Risk: the table shows a missed goal as met, or a figure with a wrong unit.
import { describe, expect, test } from 'vitest';
import { boundedFigure, comparedFigure } from './figure.ts';
import { formatNumber, renderMarkdown, renderText } from './render-table.ts';

const drain = { scenario: 'B1', name: '20 endpoints', value: 6_000, unit: 'deliveries/s' } as const;
const reference = { id: 'Redis', value: 12_000 };

describe('a compared figure', () => {
  test('meets its goal at the very share and misses it below', () => {
    expect(comparedFigure(drain, reference, { atLeast: 0.5 })).toMatchObject({
      ratio: 0.5,
      goal: { text: '≥ 0.5 × Redis', met: true },
    });
    expect(comparedFigure(drain, reference, { atLeast: 0.51 }).goal?.met).toBe(false);
    expect(comparedFigure(drain, reference, { atMost: 0.49 }).goal?.met).toBe(false);
  });

  test('takes the ratio that it is given for its goal', () => {
    expect(comparedFigure(drain, reference, { atLeast: 0.6 }, 0.7)).toMatchObject({ ratio: 0.7, goal: { met: true } });
  });
});

test('a bounded figure misses its goal above the bound', () => {
  const latency = { scenario: 'B2', name: 'p99', value: 100.1, unit: 'ms' } as const;
  expect(boundedFigure(latency, 100).goal).toEqual({ text: '≤ 100 ms', met: false });
  expect(boundedFigure({ ...latency, value: 100 }, 100).goal?.met).toBe(true);
});

test('numbers keep the digits that mean something', () => {
  expect([0.1234, 12.34, 999.4, 12_345.6, 1_234_567].map(formatNumber)).toEqual([
    '0.12',
    '12.3',
    '999',
    '12 346',
    '1 234 567',
  ]);
  expect(formatNumber(Number.NaN)).toBe('none');
});

describe('the table', () => {
  const figures = [
    comparedFigure(drain, reference, { atLeast: 0.6 }),
    boundedFigure({ scenario: 'B2', name: 'p50 | rest', value: 7.25, unit: 'ms' }, 20),
  ];

  test('as text has one aligned line a figure', () => {
    const [head, first, second] = renderText(figures).split('\n');
    expect(head).toMatch(/^scenario {2}what/);
    expect(first).toMatch(/^B1 +20 endpoints +6 000 deliveries\/s +Redis: 12 000 +0\.50 +≥ 0\.6 × Redis +missed$/);
    expect(second).toMatch(/^B2 +p50 \| rest +7\.25 ms +≤ 20 ms +met$/);
    expect(first?.indexOf('6 000')).toBe(second?.indexOf('7.25'));
  });

  test('as Markdown keeps its columns whatever a name holds', () => {
    const lines = renderMarkdown(figures).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe('| B2 | p50 \\| rest | 7.25 ms |  |  | ≤ 20 ms | met |');
  });
});
