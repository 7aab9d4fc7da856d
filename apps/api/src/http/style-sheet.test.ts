// Risk: a page of the api has colours other than the dashboard's, or names one that does not exist.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withPalette } from './style-sheet.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const colour = /--color-[\w-]+: light-dark\((#\w+), (#\w+)\);/g;
const palette = [...withPalette('').matchAll(colour)];

test('each colour is the one that the dashboard has by this name', () => {
  const known = new Set([...read('../../../dashboard/src/styles.css').matchAll(colour)].map(([line]) => line));
  expect(palette.length).toBeGreaterThan(10);
  expect(palette.map(([line]) => line).filter((line) => !known.has(line))).toEqual([]);
});

test.each(['../docs/assets/site.css', '../ops/style.css'])('%s has no colour of its own', (path) => {
  const own = read(path);
  const declared = [...withPalette(own).matchAll(/(--[\w-]+):/g)].map(([, name]) => name);
  const used = [...own.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  expect(used.filter((name) => !declared.includes(name))).toEqual([]);
  expect(own.match(/#[0-9a-f]{3,8}\b/g) ?? []).toEqual([]);
});

test('the board of the queues, which cannot use names, has colours of the palette', () => {
  const [light = '', dark = ''] = read('../ops/board.css').split('--background: ').slice(1);
  const shades = [1, 2].map((i) => new Set(palette.map((found) => found[i])));
  for (const [i, block] of [light, dark].entries()) {
    const colours = block.match(/#[0-9a-f]{6}/g) ?? [];
    expect(colours.length).toBeGreaterThan(10);
    expect(colours.filter((one) => shades[i]?.has(one) !== true)).toEqual([]);
  }
});
