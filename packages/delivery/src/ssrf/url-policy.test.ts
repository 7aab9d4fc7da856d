// Risk: a saved webhook URL makes the service call into its own network, or another service's port.
import { hostileUrls } from '@finhook/testing';
import { expect, test } from 'vitest';
import { checkWebhookHost, checkWebhookUrl } from './url-policy.ts';

const strict = { allowInsecure: false };
const open = { allowInsecure: true };

test.each(hostileUrls)('%j is rejected with %s', (url, code) => {
  expect(checkWebhookUrl(url, strict)).toEqual({ ok: false, code, reason: expect.stringMatching(/^must /) });
});

test('the table of hostile URLs holds at least sixty', () => {
  expect(new Set(hostileUrls.map(([url]) => url)).size).toBeGreaterThanOrEqual(60);
});

test.each([
  ['https://example.com', 'https://example.com/'],
  ['https://hooks.example.com/a/b?token=1&x=%20', 'https://hooks.example.com/a/b?token=1&x=%20'],
  ['https://example.com/hook?', 'https://example.com/hook'],
  ['https://example.com?', 'https://example.com/'],
  ['https://example.com/hook?a=?', 'https://example.com/hook?a=?'],
  ['https://example.com:443/', 'https://example.com/'],
  ['https://example.com:80/', 'https://example.com:80/'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://example.com:1024/', 'https://example.com:1024/'],
  ['HTTPS://EXAMPLE.com/Hook', 'https://example.com/Hook'],
  ['https://münchen.example/hook', 'https://xn--mnchen-3ya.example/hook'],
  ['https://a_b.example.com/', 'https://a_b.example.com/'],
  ['https://notlocalhost.com/', 'https://notlocalhost.com/'],
  ['https://internal.example.com/', 'https://internal.example.com/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
])('%s is allowed and stored as %s', (url, stored) => {
  expect(checkWebhookUrl(url, strict)).toEqual({ ok: true, url: stored });
});

test.each([
  'http://localhost:3000/hook',
  'http://127.0.0.1:80/',
  'http://receiver:8080/',
  'https://10.0.0.5:22/',
  'http://[::1]:9000/',
  'http://hooks.internal/',
])('with insecure targets allowed, %s is allowed', (url) => {
  expect(checkWebhookUrl(url, open)).toMatchObject({ ok: true });
});

test.each([
  'http://user:pass@localhost/',
  'http://localhost/#x',
  'ftp://localhost/',
  'http://169.254.169.254/latest/',
  'http://[fe80::1]/',
  'http://0.0.0.0/',
  'http://2130706433/',
  'http://localhost.:3000/',
])('even with insecure targets allowed, %s is rejected', (url) => {
  expect(checkWebhookUrl(url, open)).toMatchObject({ ok: false, code: 'url_not_allowed' });
});

const listed = { allowInsecure: false, allowedCidrs: ['10.1.0.0/16'] };

test.each(['https://10.1.2.3/', 'https://hooks.corp:8443/', 'https://receiver/'])(
  'with a range of the inside listed, %s is allowed: a name is judged by its addresses',
  (url) => {
    expect(checkWebhookUrl(url, listed)).toMatchObject({ ok: true });
  },
);

test.each(['http://10.1.2.3/', 'https://10.2.0.1/', 'https://10.1.2.3:22/', 'https://10.66051/', 'https://[::1]/'])(
  'with a range of the inside listed, %s is rejected all the same',
  (url) => {
    expect(checkWebhookUrl(url, listed)).toMatchObject({ ok: false, code: 'url_not_allowed' });
  },
);

test('a URL that is no well-formed text is rejected, instead of being stored as another one', () => {
  expect(checkWebhookUrl('https://1.1.1.1/\ud800', strict)).toMatchObject({ ok: false, code: 'invalid_url' });
});

const answering =
  (...addresses: string[]) =>
  async () =>
    addresses;

test('a name with only public addresses is allowed', async () => {
  const check = await checkWebhookHost('https://example.com/h', strict, answering('93.184.215.14', '2606:4700::1'));
  expect(check).toEqual({ ok: true, url: 'https://example.com/h' });
});

test.each([[['10.0.0.1']], [['93.184.215.14', '127.0.0.1']], [['93.184.215.14', 'fd00::1']], [['::ffff:8.8.8.8']]])(
  'a name that resolves to %j is rejected without naming the address',
  async (addresses) => {
    const check = await checkWebhookHost('https://rebind.example.com/', strict, answering(...addresses));
    expect(check).toEqual({
      ok: false,
      code: 'url_not_allowed',
      reason: 'must not resolve to an address that is not public',
    });
  },
);

test('a name that does not resolve yet is allowed', async () => {
  const failing = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  expect(await checkWebhookHost('https://soon.example.com/', strict, failing)).toMatchObject({ ok: true });
});

test('a URL that breaks a rule, and an address, are decided without asking DNS', async () => {
  const asked: string[] = [];
  const lookup = async (name: string) => [asked.push(name).toString()];
  expect(await checkWebhookHost('https://localhost/', strict, lookup)).toMatchObject({ ok: false });
  expect(await checkWebhookHost('https://8.8.8.8/', strict, lookup)).toMatchObject({ ok: true });
  expect(await checkWebhookHost('https://[2606:4700::1]/', strict, lookup)).toMatchObject({ ok: true });
  expect(asked).toEqual([]);
});
