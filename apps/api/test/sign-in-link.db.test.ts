// Risk: a link signs a browser in to the account of somebody else, or a program that follows links uses it up.
import { createSignInLink } from '@finhook/core';
import { expect, test } from 'vitest';
import type { SendOptions } from './api-client.ts';
import { useApi } from './api-fixture.ts';

const fixture = useApi();
const own = { 'sec-fetch-site': 'same-origin' };

const visit = (link: string, method: string, headers: SendOptions['headers'] = {}) =>
  fixture.client.send(method, `/dashboard/sign-in?link=${encodeURIComponent(link)}`, { key: null, headers });
const makeLink = () => createSignInLink(fixture.elsewhere, fixture.apiKey);

test('the address of a link is a page with a button, which opens nothing by itself', async () => {
  const link = await makeLink();
  for (const method of ['HEAD', 'GET', 'GET'])
    expect((await visit(link, method)).headers['set-cookie']).toBeUndefined();
  const page = await visit(link, 'GET', { 'sec-fetch-site': 'cross-site' });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain(`<form method="post" action="/dashboard/sign-in?link=${link}">`);
  expect(page.headers['content-security-policy']).toMatch(/form-action 'self'; .*frame-ancestors 'none'$/);
  const hostile = await visit('"><script>', 'GET');
  expect([hostile.status, hostile.text.includes('"><script>')]).toEqual([200, false]);
  const form = { ...own, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' };
  const pressed = await visit(link, 'POST', form);
  expect([pressed.status, pressed.headers.location]).toEqual([303, '/dashboard']);
  expect(pressed.headers['set-cookie']).toEqual([expect.stringContaining('__Host-finhook_session=')]);
});

test.each<[method: string, headers: Record<string, string>]>([
  ['GET', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ['GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ['POST', {}],
  ['POST', { 'sec-fetch-site': 'cross-site' }],
  ['POST', { 'sec-fetch-site': 'same-site' }],
  ['POST', { 'sec-fetch-site': 'none' }],
  ['POST', { origin: 'https://evil.example' }],
  ['POST', { origin: 'null' }],
])('%s with %j is rejected, and the link still works', async (method, headers) => {
  const link = await makeLink();
  const { status, problem, headers: got } = await visit(link, method, headers);
  expect([status, problem.code, got['set-cookie']]).toEqual([403, 'csrf_failed', undefined]);
  expect((await visit(link, 'POST', own)).headers.location).toBe('/dashboard');
});
