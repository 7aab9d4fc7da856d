// Risk: a page promises something that no test tries to break.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The sections that promise something, by their titles, with the test files that each links to. */
function promisesOf(page: string, end: string): [title: string, files: string[]][] {
  const text = readFileSync(join(root, page), 'utf8');
  expect(text).toContain(end);
  return text
    .slice(0, text.indexOf(end))
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const links = [...section.matchAll(/\]\(([^)#\s]+\.test\.ts)\)/g)];
      return [section.split('\n', 1)[0] ?? '', links.map(([, path = '']) => posix.join('docs', path))];
    });
}

test.each([
  ['docs/reliability.md', '## What is not promised'],
  ['docs/threat-model.md', '## What is not defended'],
])('every section of %s links to tests that exist', (page, end) => {
  const promises = promisesOf(page, end);
  expect(promises.length).toBeGreaterThan(9);
  for (const [title, files] of promises) {
    expect(files.length, title).toBeGreaterThan(0);
    for (const file of files) expect([title, existsSync(join(root, file))]).toEqual([title, true]);
  }
});
