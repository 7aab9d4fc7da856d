// Risk: the name server of the tests answers something else than a test wrote, so that rebinding is never tried.
import { Resolver } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { startDnsServer } from './start-dns-server.ts';

test('a real resolver reads its answers, in turn and by kind of question', async () => {
  await using dns = await startDnsServer({
    'turns.example.com': [{ a: ['8.8.8.8'] }, { a: ['10.0.0.1', '10.0.0.2'], aaaa: ['fd00::1'] }],
    'v6.example.com': { aaaa: ['2606:4700::1111', '::1'] },
    'broken.example.com': { a: 'failure' },
  });
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  expect(await resolver.resolve4('turns.example.com')).toEqual(['8.8.8.8']);
  for (let count = 0; count < 2; count += 1) {
    expect((await resolver.resolve4('turns.example.com')).toSorted()).toEqual(['10.0.0.1', '10.0.0.2']);
  }
  expect((await resolver.resolve6('v6.example.com')).toSorted()).toEqual(['2606:4700::1111', '::1']);
  await expect(resolver.resolve4('v6.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolve4('broken.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await expect(resolver.resolve4('missing.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(dns.questions.filter((question) => question === 'A turns.example.com')).toHaveLength(3);
});
