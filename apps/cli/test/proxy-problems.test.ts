// Risk: a proxy's error differs from the api's, and the client doesn't wait or retry.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorPage, errors } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { z } from 'zod';

const folder = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const read = (file: string): string => readFileSync(folder + file, 'utf8');

const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(['unavailable', 'account_moving']),
  retryable: z.literal(true),
});
/** JSON objects in a configuration. */
const problemsIn = (file: string) =>
  (read(file).match(/\{"[^\n]*\}/g) ?? []).map((text) => problem.parse(JSON.parse(text)));

const proxies = {
  'nginx/finhook.conf': ['unavailable'],
  'nginx/cells.conf': ['account_moving', 'unavailable'],
  'helm/files/router.conf': ['account_moving', 'unavailable'],
  // One per status.
  'haproxy/cells.cfg': ['unavailable', 'unavailable', 'unavailable'],
  'caddy/Caddyfile': ['unavailable'],
};

test.each(Object.entries(proxies))('%s responds with problem documents as an api does', (file, codes) => {
  const found = problemsIn(file);
  expect(found.map(({ code }) => code)).toEqual(codes);
  for (const { code, type, title, status, retryable } of found) {
    expect({ title, status, retryable }).toMatchObject(
      Object.fromEntries(['title', 'status', 'retryable'].map((name) => [name, Reflect.get(errors[code], name)])),
    );
    expect(type).toBe(errorPage(code));
  }
});

test('the same problem has one text in the configurations of all proxies', () => {
  const configurations = globSync(['nginx/*.conf', 'helm/files/*', 'haproxy/*', 'caddy/*'], { cwd: folder });
  expect(configurations.toSorted()).toEqual(Object.keys(proxies).toSorted());
  const texts = configurations.flatMap((file) => problemsIn(file).map((found) => JSON.stringify(found)));
  expect(new Set(texts).size).toBe(2);
});
