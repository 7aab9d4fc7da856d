// Risk: a dependency comes in without a reason, with a range that moves, or stays on the page after it went.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

function dependenciesOf(path: string): [name: string, version: string][] {
  const manifest: unknown = JSON.parse(read(path));
  return ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(Object(Reflect.get(Object(manifest), kind))).map(([name, version]): [string, string] => [
      name,
      String(version),
    ]),
  );
}

const manifests = globSync(
  [
    'package.json',
    '{apps,packages}/*/package.json',
    'packages/client/{next-app,runtimes}/package.json',
    'bench/package.json',
  ],
  { cwd: root },
);
const all = manifests.flatMap(dependenciesOf).filter(([name]) => !name.startsWith('@finhook/'));

test('every dependency is on DEPENDENCIES.md with its reason, and nothing else is', () => {
  const rows = read('DEPENDENCIES.md').matchAll(/^\| (`.*`) \| \S.* \|$/gm);
  const listed = [...rows].flatMap(([, names = '']) => names.split(', ').map((name) => name.replaceAll('`', '')));
  expect(listed.toSorted()).toEqual([...new Set(all.map(([name]) => name))].toSorted());
});

test('every version is exact', () => {
  const catalog = [...read('pnpm-workspace.yaml').matchAll(/^ {2}'?(?:@?[\w/-]+)'?: (\S+)$/gm)].map(([, v]) => v ?? '');
  const versions = [...all.map(([, version]) => version), ...catalog.filter((v) => v !== 'true' && v !== 'false')];
  expect(versions.filter((version) => !/^(catalog:|(?:npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?)$/.test(version))).toEqual(
    [],
  );
});
