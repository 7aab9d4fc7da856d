// Risk: a guide is missing from the checkout or from the image, or its links lead to files instead of pages.
import { existsSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { guideFiles, guidePages } from './guides.ts';

const root = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

test.each(guideFiles())('%s exists, and the image contains it', (file) => {
  expect(existsSync(new URL(file, root))).toBe(true);
  const copied = [...read('Dockerfile').matchAll(/^COPY ([^-].*) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  expect(copied.some((source) => file === source || file.startsWith(`${source}/`))).toBe(true);
  const ignored = read('.dockerignore').trim().split('\n');
  expect(ignored.filter((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`))).toEqual([]);
});

test('links to files become links to pages, or text where there is no page', () => {
  for (const { path, markdown } of guidePages()) {
    const text = markdown().replaceAll(/```[^]*?```/g, '');
    const relative = [...text.matchAll(/\]\((?!https?:|mailto:|\/|#)([^)\s]+)\)/g)].map(([, target]) => target);
    expect([path, relative]).toEqual([path, []]);
  }
});
