// Risk: keys are guessed at the sign-in page, or guesses of one address lock out signed-in people.
import { operations } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import type { SendOptions } from './api-client.ts';
import { type ApiFixture, useApi } from './api-fixture.ts';
import { cookieOf, own, signIn as sendSignIn } from './sign-in.ts';

const base = useApi();
let fixture: ApiFixture;
beforeEach(async () => {
  fixture = await base.openBeside({ rateLimits: { failedAuth: 3, requests: 8, windowSeconds: 600 } });
});

const signIn = (api_key: string, more?: SendOptions) => sendSignIn(fixture.client, api_key, more);
const ask = (cookie: string) => fixture.client.rest(operations.me.get, {}, { key: null, headers: { ...own, cookie } });

test('after too many wrong keys, cookies and links an address gets 429; a valid key still signs in', async () => {
  const wrong = [
    (await signIn('sk_live_wrong')).status,
    (await ask(`__Host-finhook_session=${'a'.repeat(43)}`)).status,
    (await fixture.client.send('POST', '/dashboard/sign-in?link=x', { key: null, headers: own })).status,
  ];
  expect(wrong).toEqual([401, 401, 303]);
  const fourth = await signIn('sk_live_wrong');
  expect([fourth.status, fourth.problem.code, Number(fourth.headers['retry-after'])]).toEqual([
    429,
    'rate_limited',
    expect.any(Number),
  ]);
  const link = await fixture.client.send('POST', '/dashboard/sign-in?link=x', { key: null, headers: own });
  expect(link.status).toBe(429);
  const right = await signIn(fixture.apiKey);
  expect(right.status).toBe(201);
  expect((await ask(cookieOf(right))).status).toBe(200);
});

test.each(['session', 'stream'])(
  'unknown cookies at /dashboard/%s are logged and count, and a browser forgets its own',
  async (page) => {
    const guess = () =>
      fixture.client.send('GET', `/dashboard/${page}`, {
        key: null,
        headers: { ...own, cookie: `__Host-finhook_session=${'a'.repeat(43)}` },
      });
    for (const status of [401, 401, 401, 429]) {
      const response = await guess();
      expect([response.status, response.headers['set-cookie']]).toEqual([
        status,
        [expect.stringMatching(/^__Host-finhook_session=; Max-Age=0;/)],
      ]);
    }
    expect(fixture.logLines.filter((line) => line.includes('rejected authentication'))).toHaveLength(3);
    const right = await signIn(fixture.apiKey);
    const cookie = cookieOf(right);
    const known = await fixture.client.send('GET', '/dashboard/session', { key: null, headers: { ...own, cookie } });
    expect([known.status, known.headers['set-cookie']]).toEqual([200, undefined]);
  },
);

test('CSRF failures, ended sessions and requests without a session do not count as guesses', async () => {
  const cookie = cookieOf(await signIn(fixture.apiKey));
  const state = (headers: Record<string, string>) =>
    fixture.client.send('GET', '/dashboard/session', { key: null, headers });
  for (let i = 0; i < 5; i++) {
    expect((await state({})).status).toBe(401);
    expect((await state({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await signIn('sk_live_wrong', { headers: {} })).status).toBe(403);
  }
  await fixture.elsewhere.database.query('UPDATE session SET ended_at = now() WHERE ended_at IS NULL');
  await expect.poll(async () => (await ask(cookie)).status, { timeout: 10_000 }).toBe(401);
  for (let i = 0; i < 5; i++) {
    expect((await ask(cookie)).status).toBe(401);
    expect((await state({ cookie })).status).toBe(401);
  }
  expect((await signIn('sk_live_wrong')).status).toBe(401);
});

test('a session shares the rate limit of its key, and signing in counts', async () => {
  const first = await signIn(fixture.apiKey);
  expect(first.headers['x-ratelimit-remaining']).toBe('7');
  const cookie = cookieOf(first);
  expect((await ask(cookie)).headers['x-ratelimit-remaining']).toBe('6');
  expect((await fixture.client.rest(operations.me.get)).headers['x-ratelimit-remaining']).toBe('5');
});
