// Risk: docs/reliability.md promises what no test tries to break any more.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8');
const notPromised = '## What is not promised';

/** The files that a section names, each with the titles below it. */
function readFiles(section: string): { file: string; titles: string[] }[] {
  return section
    .split(/^- `/m)
    .slice(1)
    .map((entry) => ({
      file: entry.slice(0, entry.indexOf('`')),
      titles: [...entry.matchAll(/^ {2}- (.+)$/gm)].map(([, title = '']) => title),
    }));
}

/** The first arguments of calls that are string literals, and what follows them: titles of tests among others. */
function titlesOf(source: string): Set<string> {
  const calls = source.matchAll(/\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`),/g);
  return new Set([...calls].map(([, single, double, template]) => single ?? double ?? template ?? ''));
}

const sections = page.slice(0, page.indexOf(notPromised)).split(/^## /m).slice(1);
const files = sections.flatMap(readFiles);

test('every promise is followed by the tests that try to break it', () => {
  expect(sections.length).toBeGreaterThan(10);
  expect(page).toContain(notPromised);
  for (const section of sections) {
    const named = readFiles(section);
    expect(named.length, section).toBeGreaterThan(0);
    for (const { file, titles } of named) expect(titles.length, file).toBeGreaterThan(0);
  }
});

describe.each([...new Set(files.map(({ file }) => file))])('%s', (file) => {
  test('has the tests that docs/reliability.md names', () => {
    expect(existsSync(join(root, file)), file).toBe(true);
    const known = titlesOf(readFileSync(join(root, file), 'utf8'));
    const named = files.filter((one) => one.file === file).flatMap(({ titles }) => titles);
    expect(named.filter((title) => !known.has(title))).toEqual([]);
  });
});

test('a title that is only mentioned, or is no longer there, is not found', () => {
  const source = "test('one', run);\n// test two\ntest.each(rows)(\n  'three %s',\n  run,\n);\nconst text = 'four';";
  expect([...titlesOf(source)]).toEqual(['one', 'three %s']);
});
