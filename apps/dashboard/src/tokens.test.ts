// Risk: text gets one more size, or a box a step of its own, which the next page copies.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
const sizes = [...read('tokens.css').matchAll(/--text-(\w+):/g)].map(([, name]) => name);

/** `path: value` of what `find` finds in the dashboard's own files. */
function findInStyles(find: (text: string) => string[]): string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|css)$/.test(path) && !path.includes('.test.') && path !== 'tokens.css')
    .flatMap((path) => find(read(path)).map((found) => `${path}: ${found}`));
}

test('text has six sizes, and no file has one of its own', () => {
  expect(sizes).toHaveLength(6);
  const others = findInStyles((text) => {
    const names = [...text.matchAll(/\btext-(xs|sm|base|lg|\d?xl|\[\d[^\]]*\])(?![\w-])/g)].map(([, name]) => name);
    const own = [...text.matchAll(/font-size: (?!var\(--text-)[^;]+;|fontSize: (?!'var\(--text-)[^,\n]+/g)].map(
      ([all]) => all,
    );
    return [...names.filter((name) => !sizes.includes(name)), ...own].map(String);
  });
  expect(others).toEqual([]);
});

const room = '(?:[pm][xytrblse]?|gap(?:-[xy])?|space-[xy]|inset(?:-[xy])?|top|right|bottom|left)';
const size = '(?:size|(?:min-|max-)?[wh])';

test('a box is spaced in whole steps of 4 px', () => {
  expect(read('tokens.css')).toContain('--spacing: 0.25rem;');
  const half = new RegExp(`(?<![\\w-])-?(?:${room}|${size})-(?:\\d*\\.\\d+|px)(?![\\w-])`, 'g');
  const own = new RegExp(`(?<![\\w-])-?${room}-\\[[\\d.]+(?:px|r?em)\\]`, 'g');
  const rule = /(?:padding|margin|gap)[a-z-]*: *[\d.]+(?:px|r?em)/g;
  const others = findInStyles((text) => [half, own, rule].flatMap((kind) => text.match(kind) ?? []));
  expect(others).toEqual([]);
});
