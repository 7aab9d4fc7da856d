// Risk: docs/architecture.md links to a moved or deleted file.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const [, table = ''] = /^## Where to find things\n([^#]*)/m.exec(page) ?? [];

/** Files of each row. `core/` is short for a folder, and a bare name is in the folder of the file before it. */
function filesOf(row: string): string[] {
  const [, cell = ''] = row.split(' | ');
  let folder = '';
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
    const path = name.replace(/^core\//, 'packages/core/src/');
    const file = path.includes('/') || path.startsWith('.') ? path : `${folder}/${path}`;
    folder = dirname(file);
    return file;
  });
}

const files = table
  .split('\n')
  .flatMap(filesOf)
  .filter((file) => !file.includes('*'));

test('every file of the table exists', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
