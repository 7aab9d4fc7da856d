// Risk: a name that resolves to a private address is saved as a webhook target.
// Risk: a name with A records only, or whose AAAA question fails, counts as unreachable, or a hosts-file name resolves.
import { startDnsServer } from '@finhook/testing';
import { expect, test } from 'vitest';
import { createHostLookup } from './resolve-host.ts';
import { checkWebhookHost } from './url-policy.ts';

const strict = { allowInsecure: false };
const resolvingTo =
  (...addresses: string[]) =>
  async () =>
    addresses;

test('S21: a name with only public addresses is allowed', async () => {
  const check = await checkWebhookHost('https://example.com/h', strict, resolvingTo('93.184.215.14', '2606:4700::1'));
  expect(check).toEqual({ ok: true, url: 'https://example.com/h' });
});

test.each([[['10.0.0.1']], [['93.184.215.14', '127.0.0.1']], [['93.184.215.14', 'fd00::1']], [['::ffff:8.8.8.8']]])(
  'S21: a name that resolves to %j is rejected without naming the address',
  async (addresses) => {
    const check = await checkWebhookHost('https://rebind.example.com/', strict, resolvingTo(...addresses));
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

test('all addresses are found where one of the two questions has no answer or fails', async () => {
  await using dns = await startDnsServer({
    'v4.example.com': { a: ['8.8.8.8', '10.0.0.1'], aaaa: [] },
    'half.example.com': { a: ['1.1.1.1'], aaaa: 'failure' },
  });
  const lookup = createHostLookup(strict, [dns.address]);
  expect((await lookup('v4.example.com')).toSorted()).toEqual(['10.0.0.1', '8.8.8.8']);
  expect(await lookup('half.example.com')).toEqual(['1.1.1.1']);
});

test('S21: a name that does not exist rejects, and the hosts file is not read', async () => {
  await using dns = await startDnsServer({});
  const lookup = createHostLookup(strict, [dns.address]);
  await expect(lookup('missing.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(lookup('ip6-localhost')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('with insecure targets allowed, localhost resolves as the system says', async () => {
  const addresses = await createHostLookup({ allowInsecure: true })('localhost');
  expect(addresses.every((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
  expect(addresses.length).toBeGreaterThan(0);
});
