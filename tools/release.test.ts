// Risk: a release says one version in the image and another in /healthz, or changes without an entry in the changelog.
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
