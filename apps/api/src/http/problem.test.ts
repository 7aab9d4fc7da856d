// Risk: an error says that nothing was stored although it was, and the client stores it twice.
import { DomainError, errorOfCommit } from '@finhook/core';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createErrorHandler, toDomainError } from './problem.ts';

test('a lost database is reported as nothing stored only if nothing was committed', () => {
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const full = Object.assign(new Error('disk full'), { code: '53100' });
  const [wrong, gone] = ['28P01', '3D000'].map((code) => Object.assign(new Error('refused'), { code }));
  const sure = [lost, wrong, gone, errorOfCommit(full)];
  const told = [...sure, errorOfCommit(lost), new Error('x', { cause: errorOfCommit(lost) })].map(toDomainError);
  expect(told.map(({ code, retryAfter }) => [code, retryAfter])).toEqual(told.map(() => ['unavailable', 5]));
  expect(told.map(({ message }) => message.includes('Nothing was stored'))).toEqual([
    ...sure.map(() => true),
    false,
    false,
  ]);
  expect(told[4]?.message).toContain('send the request again with the same Idempotency-Key, or read the records first');
});

test("an error's own headers replace those of the request, except for its challenge", async () => {
  const app = Fastify();
  app.setErrorHandler(createErrorHandler(() => undefined));
  app.get('/', async (_request, reply) => {
    reply.headers({ 'retry-after': '60', 'finhook-cell': 'eu', 'www-authenticate': 'Cookie' });
    throw new DomainError('wrong_cell', { detail: 'Elsewhere.', retryAfter: 2, extra: { cell: 'us' } });
  });
  app.get('/console', async (_request, reply) => {
    reply.header('www-authenticate', 'Cookie');
    throw new DomainError('missing_credentials', { detail: 'Sign in.' });
  });
  const moved = await app.inject('/');
  expect(moved.headers).toMatchObject({ 'retry-after': '2', 'finhook-cell': 'us' });
  expect((await app.inject('/console')).headers['www-authenticate']).toBe('Cookie');
});
