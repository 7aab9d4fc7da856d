// Risk: a table is cut at the edge of a phone, and nothing says that it has more columns.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..');

test('what scrolls sideways marks its edges, except for the row of tabs', () => {
  const scrolling = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && readFileSync(join(src, file), 'utf8').includes('overflow-x-auto'))
    .toSorted();
  expect(scrolling).toEqual(['components/side-scroll.tsx', 'components/tabs.tsx']);
});
