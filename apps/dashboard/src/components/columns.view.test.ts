// Risk: a date or a badge takes the room of the names beside it, which are cut to a few letters.
import { expect, test } from 'vitest';
import { widthsOf } from './columns.view.ts';

const name = { grow: 3 };
const type = { grow: 1, wide: true };
const day = { nowrap: true };
const amount = { align: 'end' } as const;
const source = { grow: 2, wide: 'large' } as const;
const columns = [name, day, amount, type, source];

test('on a large screen all columns share the width', () => {
  expect(widthsOf(columns, 'large')).toEqual([37.5, 12.5, 12.5, 12.5, 25]);
});

test('on a small one, columns that are never cut take what they need, and those that are shown share the rest', () => {
  expect(widthsOf(columns, 'small')).toEqual([75, undefined, undefined, 25, undefined]);
  expect(widthsOf(columns, 'phone')).toEqual([100, undefined, undefined, undefined, undefined]);
});

test('without a column that is cut, the others share the width', () => {
  expect(widthsOf([day, amount, type], 'phone')).toEqual([50, 50, undefined]);
});
