// Risk: a killed service keeps the next one from starting, or its key is sent to another program on its port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainUnusable, type LocalInfo, openDataFolder } from './data-folder.ts';

let root: string;
let other: ChildProcess;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'finhook-folder-'));
  other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  await once(other, 'spawn');
});
afterEach(() => {
  other.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function infoOf(pid: number | undefined): LocalInfo {
  const api_url = 'http://127.0.0.1:3000';
  return { api_url, dashboard_url: null, sign_in_url: null, api_key: 'k', company_id: 'co_1', pid: pid ?? 0 };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

test('a folder of ours lets others pass through; one with files of others keeps its mode, at later starts too', () => {
  const ours = join(root, 'data');
  openDataFolder(ours).secretsKey();
  expect(modeOf(ours)).toBe(0o711);
  chmodSync(ours, 0o700);
  openDataFolder(ours);
  expect(modeOf(ours)).toBe(0o711);

  chmodSync(root, 0o750);
  openDataFolder(root).secretsKey();
  openDataFolder(root);
  expect(modeOf(root)).toBe(0o750);
});

const fails = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};
test.each([
  ['EACCES', 'this user has no permission to write in ROOT. Change its owner'],
  ['EROFS', 'ROOT is on a read-only file system. Make that writable'],
  ['EIO', 'no such file: mkdir. Correct that'],
])('a folder that can not be made is explained by the nearest one that exists: %s', (code, text) => {
  // mkdir reports the same for all of them.
  const reported = new Error('no such file: mkdir');
  expect(explainUnusable(join(root, 'a', 'b'), reported, fails(code))).toBe(text.replace('ROOT', root));
});

test('a data folder below a file is explained by that file', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => openDataFolder(join(root, 'file', 'data'))).toThrow(`${join(root, 'file')} is a file. Move it away`);
});

test('a key or password whose file was emptied is rejected, and not taken for one of nothing', () => {
  const folder = openDataFolder(root);
  const password = folder.opsPassword();
  expect(folder.opsPassword()).toBe(password);
  for (const [name, read] of [
    ['secrets.key', folder.secretsKey],
    ['ops.password', folder.opsPassword],
  ] as const) {
    writeFileSync(join(root, name), '\n');
    expect(read).toThrow(`${join(root, name)} is empty. Restore it, or remove it`);
  }
});

describe('the running service', () => {
  test('is the process that announced itself, until it has ended', async () => {
    const folder = openDataFolder(root);
    folder.announce(infoOf(other.pid), 'postgres://x');
    expect(folder.running()).toMatchObject({ pid: other.pid, stores: { database_url: 'postgres://x' } });
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(folder.running()).toBeUndefined();
  });

  test('is no other process that has its id now', () => {
    const folder = openDataFolder(root);
    folder.announce(infoOf(other.pid), 'postgres://x');
    const path = join(root, 'stores.json');
    const stores: unknown = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...Object(stores), started: '1' }));
    expect(folder.running()).toBeUndefined();
  });

  test('is not who asks, whose id a container gives to each start', () => {
    const folder = openDataFolder(root);
    folder.announce(infoOf(process.pid), 'postgres://x');
    expect(folder.running()).toBeUndefined();
  });
});
