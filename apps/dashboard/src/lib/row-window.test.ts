// Risk: the end of a very long table can't be reached, or rows are skipped or drawn twice on the way.
import { expect, test } from 'vitest';
import { drawn, lastBase, type Place, slide, WINDOW_ROWS } from './row-window.ts';

const ROW = 44;
const HEIGHT = 660;
const room = (count: number, { base }: Place): number => Math.min(count - base, WINDOW_ROWS) * ROW;
const topRow = ({ base, top }: Place): number => base + top / ROW;

test.each([200_000, 1_000_000])(
  '%d rows are scrolled through page by page, down and back up, each row in view',
  (count) => {
    let place: Place = { base: 0, top: 0, height: HEIGHT };
    let seen = 0;
    const step = HEIGHT * 20;
    const bottom = (): number => room(count, place) - HEIGHT;
    for (let i = 0; i < count && topRow(place) < count - HEIGHT / ROW; i++) {
      place = slide({ ...place, top: Math.min(place.top + step, bottom()) }, count, ROW);
      // The position continues without a jump.
      expect(topRow(place)).toBeLessThanOrEqual(seen + step / ROW);
      seen = topRow(place);
      expect(room(count, place)).toBeLessThanOrEqual(WINDOW_ROWS * ROW);
      expect(place.top).toBeLessThanOrEqual(bottom());
    }
    expect(drawn(place, count, ROW).last).toBe(count - 1);
    for (let i = 0; i < count && topRow(place) > 0; i++) {
      place = slide({ ...place, top: Math.max(0, place.top - step) }, count, ROW);
      expect(topRow(place)).toBeGreaterThanOrEqual(seen - step / ROW);
      seen = topRow(place);
      expect(place.top).toBeLessThanOrEqual(bottom());
    }
    expect(place).toEqual({ base: 0, top: 0, height: HEIGHT });
  },
);

test('moving the window leaves the rows in view where they are, and does not move it back at once', () => {
  const near: Place = { base: 0, top: (WINDOW_ROWS - 100) * ROW, height: HEIGHT };
  const moved = slide(near, 100_000, ROW);
  expect(moved.base).toBeGreaterThan(0);
  expect(topRow(moved)).toBe(topRow(near));
  expect(slide(moved, 100_000, ROW)).toEqual(moved);
});

test.each([0, 1, 15, 100, WINDOW_ROWS, WINDOW_ROWS + 1, 123_456])(
  'of %d rows, those drawn and the room around them fill the frame',
  (count) => {
    for (const base of new Set([0, lastBase(count)])) {
      for (const top of [0, 1, 5_000, room(count, { base, top: 0, height: 0 }) - HEIGHT]) {
        const { first, last, above, below } = drawn({ base, top: Math.max(0, top), height: HEIGHT }, count, ROW);
        if (count === 0) continue;
        expect(above + (last - first + 1) * ROW + below).toBe(room(count, { base, top, height: HEIGHT }));
        expect(last).toBeLessThan(count);
        expect(above).toBeLessThanOrEqual(Math.max(0, top));
      }
    }
  },
);

test('a list that became shorter than the place in it is drawn at its end', () => {
  const { first, last } = drawn({ base: 50_000, top: 400_000, height: HEIGHT }, 40, ROW);
  expect(first).toBeGreaterThanOrEqual(0);
  expect(last).toBe(39);
});
