// Risk: a reference page that tells something else than the tables it is made from.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referencePages } from '../scripts/reference.ts';

test.each(Object.entries(referencePages()))('docs/reference/%s is what the tables say now', (name, text) => {
  const written = readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8');
  expect(written, 'run `pnpm run docs`').toBe(text);
});
