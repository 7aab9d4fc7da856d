// Risk: the page has another version or flag than the generated and tested clients.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const [, page = ''] = read('docs/clients.md').split('\n## Generate a client\n');

test('the page names the versions that .ci/clients downloads', () => {
  const script = read('.ci/clients');
  const versions = [...script.matchAll(/^[A-Z_]+=v?(\d+\.\d+\.\d+)$/gm)].map(([, version = '']) => version);
  expect(versions.length).toBe(4);
  expect([...new Set(page.match(/\b\d+\.\d+\.\d+\b/g))].toSorted()).toEqual(versions.toSorted());
});

test('the page says which Go is needed as .ci/clients does, and the workflow installs one', () => {
  const [, needed = ''] = /need 'Go (\d+\.\d+) or newer'/.exec(read('.ci/clients')) ?? [];
  const [, installed = ''] =
    /setup-go@.*\n.*\n\s+go-version: '(\d+\.\d+)'/.exec(read('.github/workflows/ci.yml')) ?? [];
  const minor = (version: string): number => Number(version.split('.')[1]);
  expect(minor(installed)).toBeGreaterThanOrEqual(minor(needed));
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`The two Go clients need Go ${needed} or newer`);
});

test.each(['python', 'go', 'java', 'typescript-fetch'])(
  'the page generates %s with the flags that are tried',
  (name) => {
    const tried: { library?: string; additionalProperties?: Record<string, string> } = JSON.parse(
      read(`tools/generators/${name}/openapi-generator.json`),
    );
    const properties = Object.entries(tried.additionalProperties ?? {}).map(([key, value]) => `${key}=${value}`);
    const flags = [
      ...(tried.library === undefined ? [] : [` --library ${tried.library}`]),
      ...(properties.length === 0 ? [] : [` --additional-properties=${properties.join(',')}`]),
    ];
    expect(page).toContain(`\ngenerate -g ${name}${flags.join('')}\n`);
  },
);
