// Risk: versions differ between the image and /healthz, or a release has no entry in the changelog.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

function versionOf(manifest: string): unknown {
  return Reflect.get(Object(JSON.parse(read(manifest))), 'version');
}

const version = versionOf('package.json');

test.each(globSync(['{apps,packages}/*/package.json', 'bench/package.json'], { cwd: root }))(
  '%s has the version of the repository',
  (manifest) => expect(versionOf(manifest)).toBe(version),
);

test('the newest entry of CHANGELOG.md is this version', () => {
  expect(/^## \[?([\d.]+)\]?/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
});

test('the Python SDK has this version', () => {
  expect(/^__version__ = "(.+)"$/m.exec(read('sdks/python/src/finhook/__init__.py'))?.[1]).toBe(version);
});

test('the image is labelled with this version', () => {
  expect(/org\.opencontainers\.image\.version="([^"]+)"/.exec(read('Dockerfile'))?.[1]).toBe(version);
});

test.each(['version', 'appVersion'])('the %s of the Helm chart is this version', (field) => {
  expect(new RegExp(`^${field}: (\\S+)`, 'm').exec(read('deploy/helm/Chart.yaml'))?.[1]).toBe(version);
});

test('the image runs on the major version of Node that the repository pins', () => {
  const pinned = /^nodeVersion: (\d+)\./m.exec(read('pnpm-workspace.yaml'))?.[1];
  const bases = [...read('Dockerfile').matchAll(/^FROM node:(\d+)-\S+@sha256:[0-9a-f]{64}/gm)].map(
    ([, major]) => major,
  );
  expect(new Set(bases)).toEqual(new Set([pinned]));
});

interface MigrationRange {
  version: string;
  first: string;
  last: string;
  commit: string;
}

const row = /^\| (\d+\.\d+\.\d+) \| (\d{4}-[\w-]+) \| (\d{4}-[\w-]+) \| (.+) \|$/gm;
const ranges: MigrationRange[] = [...read('docs/versions.md').matchAll(row)].map(
  ([, each = '', first = '', last = '', commit = '']) => ({ version: each, first, last, commit }),
);
const index = read('packages/core/src/db/migrations/index.ts');
const migrations = [...index.matchAll(/name: '(\d{4}-[\w-]+)'/g)].map(([, name]) => name);
const numberOf = (name: string): number => Number(name.slice(0, 4));

test('docs/versions.md has this version, with its newest migration', () => {
  const { version: newest, last, commit } = ranges.at(-1) ?? {};
  const advice = 'a released version (a row with its commit) gets no more migrations: raise the version and add a row';
  expect([newest, last, commit], advice).toEqual([version, migrations.at(-1), 'this one']);
});

test('the migrations of a version follow those of the version before', () => {
  expect(ranges.length).toBeGreaterThan(2);
  for (const [i, { first, last, commit }] of ranges.entries()) {
    expect(numberOf(first)).toBe(numberOf(ranges[i - 1]?.last ?? '0000') + 1);
    expect(numberOf(last)).toBeGreaterThanOrEqual(numberOf(first));
    if (i < ranges.length - 1) expect(commit).toMatch(/^[0-9a-f]{12}$/);
  }
});

test('migrations that replace others require an earlier version, which ended with the last of these', () => {
  const replaced = [...index.matchAll(/replaces: \{ last: '([^']+)', version: '([^']+)' \}/g)];
  expect(replaced).not.toEqual([]);
  for (const [, last, required] of replaced) {
    const range = ranges.find((each) => each.version === required);
    expect(range?.last).toBe(last);
    expect(required, 'raise the version: users could not tell the two apart').not.toBe(version);
  }
});
