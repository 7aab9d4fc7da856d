// Risk: a command writes to a file of another user's choice, or leaves half a file.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDraft, writePrivate } from './private-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'finhook-private-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a link with the name of the file, or of a draft with the number of the process, is not followed', () => {
  const [path, victim] = [join(folder, 'rows.csv'), join(folder, 'victim')];
  writeFileSync(victim, 'of another user');
  for (const name of [path, `${path}.${process.pid}`, `${path}.${process.pid}.part`]) symlinkSync(victim, name);
  writePrivate(path, 'rows');
  expect(readFileSync(victim, 'utf8')).toBe('of another user');
  expect(lstatSync(path).isFile()).toBe(true);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe('rows');
});

test('two drafts of one file are two files', () => {
  const path = join(folder, 'rows.csv');
  const [first, second] = [openDraft(path), openDraft(path)];
  writeFileSync(first.fd, 'first');
  writeFileSync(second.fd, 'second');
  first.commit();
  second.discard();
  expect(readdirSync(folder)).toEqual(['rows.csv']);
  expect(readFileSync(path, 'utf8')).toBe('first');
});

test('a file that cannot be written leaves nothing behind', () => {
  const path = join(folder, 'rows.csv');
  mkdirSync(path);
  expect(() => writePrivate(path, 'rows')).toThrow(/directory/i);
  expect(readdirSync(folder)).toEqual(['rows.csv']);
});
