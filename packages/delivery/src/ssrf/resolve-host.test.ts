// Risk: a name with A records only, or whose AAAA query fails, counts as unreachable, or a hosts-file name resolves.
import { startDnsServer } from '@finhook/testing';
import { expect, test } from 'vitest';
import { createHostLookup } from './resolve-host.ts';

const strict = { allowInsecure: false };

test('all addresses are found where one of the two questions has no answer or fails', async () => {
  await using dns = await startDnsServer({
    'v4.example.com': { a: ['8.8.8.8', '10.0.0.1'], aaaa: [] },
    'half.example.com': { a: ['1.1.1.1'], aaaa: 'failure' },
  });
  const lookup = createHostLookup(strict, [dns.address]);
  expect((await lookup('v4.example.com')).toSorted()).toEqual(['10.0.0.1', '8.8.8.8']);
  expect(await lookup('half.example.com')).toEqual(['1.1.1.1']);
});

test('a name that does not exist rejects, and the hosts file is not read', async () => {
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
