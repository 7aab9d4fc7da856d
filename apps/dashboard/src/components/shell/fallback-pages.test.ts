// Risk: a page whose file is gone stays broken after an update, or reloads in a loop.
import { expect, test } from 'vitest';
import { isChunkLoadError, mayReload } from './fallback-pages.tsx';

test.each([
  'Failed to fetch dynamically imported module: https://a.example/x.js',
  'error loading dynamically imported module',
  'Importing a module script failed.',
  'Unable to preload CSS for /dashboard/assets/x.css',
])('%s is recognised as a failed chunk, also as a cause', (message) => {
  expect(
    [new TypeError(message), new Error('The page failed.', { cause: new TypeError(message) })].map(isChunkLoadError),
  ).toEqual([true, true]);
});

test('other errors are not failed chunks', () => {
  expect([new TypeError('x is undefined'), new Error('a', { cause: 'b' }), undefined].map(isChunkLoadError)).toEqual([
    false,
    false,
    false,
  ]);
});

test('a page reloads once per path and build', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const asked = [
    ['one', '/cases'],
    ['one', '/cases'],
    ['two', '/cases'],
    ['two', '/cases'],
    ['two', '/logs'],
  ] as const;
  expect(asked.map(([build, path]) => mayReload(storage, build, path))).toEqual([true, false, true, false, true]);
});
