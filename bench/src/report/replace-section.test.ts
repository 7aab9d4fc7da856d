// Risk: writing the figures deletes the text around them, or appends them with every run.
import { expect, test } from 'vitest';
import { replaceSection } from './replace-section.ts';

const document = [
  '# Title',
  '<!-- begin: figures of `pnpm bench`, written by it -->',
  'old',
  '<!-- end: figures -->',
  'after',
].join('\n');

test('replaces the text between the markers, repeatedly', () => {
  const once = replaceSection(document, 'new $& figures');
  expect(once).toContain('\n\nnew $& figures\n\n<!-- end');
  expect(once).not.toContain('old');
  expect(once).toMatch(/^# Title\n[^]*\nafter$/);
  expect(replaceSection(once, 'new $& figures')).toBe(once);
});

test('rejects a document without the markers', () => {
  expect(() => replaceSection('# Title', 'new')).toThrow('needs the lines');
});
