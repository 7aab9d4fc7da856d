// Risk: compose drops a variable that the operator set, so that data is deleted, or gives a process an unneeded secret.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { apiEnv } from '@finhook/api';
import { combinedEnv } from '@finhook/combined';
import { workerEnvSchema } from '@finhook/worker';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const environment = z.record(z.string(), z.union([z.string(), z.number()]));
const hardened = z.object({
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  mem_limit: z.string(),
  pids_limit: z.int(),
  environment,
});
const stock = z.object({
  image: z.string().regex(/@sha256:[0-9a-f]{64}$/),
  command: z.array(z.string()).optional(),
  mem_limit: z.string(),
  pids_limit: z.int(),
  environment,
});
const { services } = z
  .object({ services: z.object({ api: hardened, worker: hardened, postgres: stock, redis: stock }) })
  .parse(parse(read('docker-compose.yml'), { merge: true }));

const combined = z
  .object({
    services: z.object({
      api: z.object({ command: z.array(z.string()), environment }),
      worker: z.object({ profiles: z.array(z.string()).min(1) }),
    }),
  })
  .parse(parse(read('deploy/compose/combined.yml'))).services;

const documented = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);

test.each([
  ['api', services.api, Object.keys(apiEnv.shape)],
  ['worker', services.worker, [...Object.keys(workerEnvSchema.shape), 'NODE_OPTIONS']],
  [
    'the combined process',
    { environment: { ...services.api.environment, ...combined.api.environment } },
    [...Object.keys(combinedEnv.shape), 'NODE_OPTIONS'],
  ],
])('%s gets every variable that it reads, and no other', (_, { environment: given }, reads) => {
  expect(Object.keys(given).toSorted()).toEqual(reads.toSorted());
  // Variables of .env are passed on under the same name; the others are addresses within compose.
  const decided = Object.entries(given).filter(([name, value]) => !String(value).startsWith(`\${${name}:`));
  const DECIDED = ['DATABASE_URL', 'HOST', 'METRICS_HOST', 'METRICS_PORT', 'NODE_OPTIONS', 'PORT', 'QUEUE_URL'];
  expect(DECIDED).toEqual(expect.arrayContaining(decided.map(([name]) => name)));
});

test('the service signs in to PostgreSQL as a role that is not its superuser, and to Redis with a password', () => {
  const { DATABASE_URL, QUEUE_URL } = services.api.environment;
  expect(DATABASE_URL).toMatch(/^postgres:\/\/finhook:/);
  expect(services.postgres.environment['POSTGRES_USER']).toBe('postgres');
  expect(read('ops/postgres/create-owner.sh')).toContain('CREATE ROLE finhook LOGIN NOSUPERUSER');
  // Every user of the host can read arguments: compose expands ${…}, and leaves $$… to the shell.
  expect(services.redis.command?.join(' ')).toMatch(/redis-server - [^]*requirepass \$\$REDISCLI_AUTH/);
  expect(services.redis.command?.join(' ')).not.toContain('${');
  expect(QUEUE_URL).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:\?/);
});

test('one process runs the program for both, and the worker of two is not started', () => {
  expect(combined.api.command).toEqual(['node', 'apps/combined/src/main.ts']);
  expect(combined.worker.profiles).toEqual(['separate']);
});

test('.env.example has every variable that compose reads', () => {
  const used = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
  expect(documented).toEqual(expect.arrayContaining([...new Set(used)]));
});

test.each([
  ['api', apiEnv],
  ['worker', workerEnvSchema],
])('.env.example shows the defaults of %s', (_, { shape }) => {
  const example = parseEnv(read('.env.example'));
  const fields = Object.entries<z.ZodType>(shape);
  const defaults = fields.filter(([, field]) => field.safeParse(undefined).success);
  expect(defaults.map(([name, field]) => [name, field.parse(example[name] || undefined)])).toEqual(
    defaults.map(([name, field]) => [name, field.parse(undefined)]),
  );
});

test('the cells of deploy/compose have the addresses that nginx knows, and the base image of the service', () => {
  const addresses = [...read('deploy/nginx/cells.conf').matchAll(/server (10[\d.]+):3000/g)].map(
    ([, address]) => address,
  );
  const page = read('docs/scale.md');
  for (const address of new Set(addresses)) expect(page).toMatch(new RegExp(`cell \\w+ ${address} \\d+`));
  const baseOf = (path: string) => /FROM (\S+@sha256:\w+)(?: AS build)?\n/.exec(read(path))?.[1];
  expect(baseOf('deploy/compose/nginx.Dockerfile')).toBe(baseOf('Dockerfile'));
});

test('no secret has a default', () => {
  const defaults = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+):?-([^}]+)\}/g)];
  expect(defaults.map(([, name]) => name)).toEqual(['PORT']);
});
