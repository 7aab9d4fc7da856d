// Risk: text gets one more size, which the next page copies.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
const sizes = [...read('tokens.css').matchAll(/--text-(\w+):/g)].map(([, name]) => name);

test('text has six sizes, and no file has one of its own', () => {
  expect(sizes).toHaveLength(6);
  const others = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|css)$/.test(path) && !path.includes('.test.') && path !== 'tokens.css')
    .flatMap((path) => {
      const text = read(path);
      const names = [...text.matchAll(/\btext-(xs|sm|base|lg|\d?xl|\[\d[^\]]*\])(?![\w-])/g)].map(([, name]) => name);
      const own = [...text.matchAll(/font-size: (?!var\(--text-)[^;]+;|fontSize: (?!'var\(--text-)[^,\n]+/g)].map(
        ([all]) => all,
      );
      return [...names.filter((name) => !sizes.includes(name)), ...own].map((found) => `${path}: ${found}`);
    });
  expect(others).toEqual([]);
});
