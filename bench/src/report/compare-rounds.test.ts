// Risk: a ratio compares two moments of the machine, or two different figures.
import { expect, test } from 'vitest';
import { compareRounds } from './compare-rounds.ts';
import type { Figure } from './figure.ts';

const cpu = (value: number): Figure => ({ scenario: 'B9', name: 'CPU', value, unit: 's' });
const rate = (value: number): Figure => ({ scenario: 'B10', name: 'delivered', value, unit: 'deliveries/s' });

test('compares the medians, and takes the ratio within each round', () => {
  // The machine is three times as slow in the last round.
  const rounds = [
    { own: [cpu(1), rate(50)], against: [rate(40), cpu(2)] },
    { own: [cpu(1.1), rate(60)], against: [rate(40), cpu(2)] },
    { own: [cpu(3), rate(20)], against: [rate(10), cpu(6)] },
  ];
  expect(compareRounds(rounds, '0366dde')).toEqual([
    { ...cpu(1.1), reference: { id: '0366dde', value: 2 }, ratio: 0.5 },
    { ...rate(50), reference: { id: '0366dde', value: 40 }, ratio: 1.5 },
  ]);
});

test('a figure that the other checkout lacks has no ratio, and no goal of a single run', () => {
  const bounded = { ...cpu(1), goal: { text: '≤ 2 s', met: true } };
  expect(compareRounds([{ own: [bounded], against: [rate(1)] }], 'old')).toEqual([cpu(1)]);
  expect(compareRounds([], 'old')).toEqual([]);
});
