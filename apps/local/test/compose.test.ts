// Risk: the operator sets a variable, compose drops it without a word, and data is deleted that was to be kept.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const processSchema = z.object({
  env_file: z.literal('.env'),
  environment: z.record(z.string(), z.union([z.string(), z.number()])),
});
const { services } = z
  .object({ services: z.object({ api: processSchema, worker: processSchema }) })
  .parse(parse(read('docker-compose.yml'), { merge: true }));

/** Where things are inside of compose. */
const DECIDED = ['DATABASE_URL', 'QUEUE_URL', 'HOST', 'PORT', 'METRICS_HOST'];

const variables = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);

test.each(Object.entries(services))('%s gets every variable of .env but those that compose decides', (_, service) => {
  expect(variables).toContain('RETENTION_DAYS');
  // What stands under `environment` wins over `env_file`; what is only passed on there loses nothing.
  const lost = variables.filter((name) => {
    const value = service.environment[name];
    return value !== undefined && !String(value).startsWith(`\${${name}:`);
  });
  expect(lost.toSorted()).toEqual(DECIDED.toSorted());
});

test('no secret has a default', () => {
  const defaults = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+):?-([^}]+)\}/g)];
  expect(defaults.map(([, name]) => name)).toEqual(['PORT']);
});
