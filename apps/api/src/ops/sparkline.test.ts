// Risk: the line of the last hour shows another value or time than was sampled, or joins two across an outage.
import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

const to = new Date('2026-11-26T22:00:00Z');
const point = (minutesAgo: number, value: number) => ({ at: new Date(to.getTime() - minutesAgo * 60_000), value });
const draw = (...points: ReturnType<typeof point>[]) =>
  sparkline({ points, to, spanMs: 3_600_000, gapMs: 180_000, format: (value) => `${value} due` });
const pathOf = (drawn: ReturnType<typeof draw>) =>
  drawn === false ? undefined : /d="([^"]*)"/.exec(drawn.markup)?.[1];

test('the oldest sample is left, the present right, zero below and the highest above', () => {
  expect(pathOf(draw(point(60, 0), point(59, 4), point(57, 2)))).toBe('M0.0 30.0L2.7 2.0L8.0 16.0');
  expect(draw(point(1, 3), point(0, 0))).toMatchObject({ markup: expect.stringContaining('1 h: at most 3 due') });
});

test('samples apart by more than the gap are not joined', () => {
  expect(
    pathOf(draw(point(10, 1), point(9, 1), point(2, 1), point(1, 1)))
      ?.match(/[ML]/g)
      ?.join(''),
  ).toBe('MLML');
});

test('one sample is no line, and zeros lie at the bottom', () => {
  expect(draw(point(1, 3))).toBe(false);
  expect(pathOf(draw(point(1, 0), point(0, 0)))).toBe('M157.3 30.0L160.0 30.0');
});
