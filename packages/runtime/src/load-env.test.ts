// Risk: a process starts partly configured, shows one problem at a time, or prints a secret.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { EnvError, loadEnv } from './load-env.ts';

const schema = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres$/ }).describe('Set it to postgres://user:password@host:5432/name.'),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  LOG_LEVEL: z.enum(['debug', 'info']).default('info'),
  SECRETS_KEY: z.string().min(32).optional().describe('Make one with: openssl rand -base64 32'),
});

function problemsOf(source: Record<string, string | undefined>): readonly string[] {
  try {
    loadEnv(schema, source);
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
  return [];
}

test('parses what it knows, fills defaults and ignores the rest', () => {
  const env = loadEnv(schema, { DATABASE_URL: 'postgres://db/x', PORT: '8080', HOME: '/root' });
  expect(env).toEqual({ DATABASE_URL: 'postgres://db/x', PORT: 8080, LOG_LEVEL: 'info' });
});

test('a variable that is optional keeps its remedy', () => {
  const optional = z.object({ DATABASE_URL: schema.shape.DATABASE_URL.optional() });
  expect(() => loadEnv(optional, { DATABASE_URL: 'x' })).toThrow('Set it to postgres://');
});

test('an empty value is an absent one', () => {
  expect(loadEnv(schema, { DATABASE_URL: 'postgres://db/x', PORT: '', LOG_LEVEL: '' })).toMatchObject({
    PORT: 3000,
    LOG_LEVEL: 'info',
  });
  expect(problemsOf({ DATABASE_URL: '' })[0]).toMatch(/^DATABASE_URL is missing\. Set it to postgres:/);
});

test('lists every problem at once, with the value and what to do', () => {
  const problems = problemsOf({ PORT: '99999', LOG_LEVEL: 'loud' });
  expect(problems).toHaveLength(3);
  expect(problems[0]).toBe('DATABASE_URL is missing. Set it to postgres://user:password@host:5432/name.');
  expect(problems[1]).toMatch(/^PORT is "99999": too big: .*65535\.$/);
  expect(problems[2]).toMatch(/^LOG_LEVEL is "loud": invalid option: .*"debug"\|"info"\.$/);
  expect(() => loadEnv(schema, {})).toThrow('The configuration has one problem:\n  - DATABASE_URL is missing.');
});

test('never repeats a secret, nor a URL, which may hold one', () => {
  const problems = problemsOf({ DATABASE_URL: 'mysql://root:CANARY@db/x', SECRETS_KEY: 'CANARY' });
  expect(problems.join('\n')).not.toContain('CANARY');
  expect(problems[0]).toBe(
    'DATABASE_URL is not valid (its value is not shown). Set it to postgres://user:password@host:5432/name.',
  );
  expect(problems[1]).toBe('SECRETS_KEY is not valid (its value is not shown). Make one with: openssl rand -base64 32');
});

test('a rule that quotes the value of a secret is not quoted', () => {
  const quoting = z.object({
    API_TOKEN: z.string().refine(() => false, { error: (issue) => `bad: ${String(issue.input)}` }),
  });
  expect(() => loadEnv(quoting, { API_TOKEN: 'CANARY' })).toThrow('API_TOKEN is not valid');
  expect(() => loadEnv(quoting, { API_TOKEN: 'CANARY' })).not.toThrow('CANARY');
});

test('a rule over several variables is shown as it is', () => {
  const both = z
    .object({ A: z.string().optional(), B: z.string().optional() })
    .refine((env) => env.A ?? env.B, 'Set A or B');
  expect(() => loadEnv(both, {})).toThrow('  - Set A or B');
});
