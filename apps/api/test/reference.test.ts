// Risk: a reference page differs from the tables that it is generated from.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referencePages } from '../scripts/reference.ts';

test.each(Object.entries(referencePages()))('docs/reference/%s is up to date', (name, text) => {
  const written = readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8');
  expect(written, 'run `pnpm run docs`').toBe(text);
});
