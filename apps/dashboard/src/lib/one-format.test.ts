// Risk: one page writes a number, a date or a time in a form of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const formats = ['lib/format-number.ts', 'lib/format-time.ts'];
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !path.includes('.test.'),
);

test('only the modules of formats use Intl', () => {
  const own = sources.filter((path) => /\bIntl\.|\btoLocale\w*String\(/.test(readFileSync(join(root, path), 'utf8')));
  expect(sources.length).toBeGreaterThan(100);
  expect(own.sort()).toEqual(formats);
});
