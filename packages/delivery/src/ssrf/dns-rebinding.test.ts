// Risk: a name that resolves differently after the check leads a request into the private network.
import { type DnsRecords, startDnsServer } from '@finhook/testing';
import { expect, test } from 'vitest';
import { asResponse, createTestTransport, requestTo } from '../../test/create-test-transport.ts';
import { startHttp } from '../../test/loopback-server.ts';
import { createAddressCheck, createHostLookup } from './resolve-host.ts';
import { checkWebhookHost } from './url-policy.ts';

// The one public address; the rest of loopback is the private network.
const policy = { allowInsecure: false, allowedCidrs: ['127.0.0.1/32'] };
const outside: DnsRecords = { a: ['127.0.0.1'] };
const name = 'rebind.example.com';

/** A transport with a real name server over UDP, and a receiver on the public address. */
async function openScene(answers: readonly DnsRecords[], answerHeaders: Record<string, string> = {}) {
  const stack = new AsyncDisposableStack();
  const dns = stack.use(await startDnsServer({ [name]: answers }));
  const server = stack.use(await startHttp((_request, response) => void response.writeHead(200, answerHeaders).end()));
  const lookup = createHostLookup(policy, [dns.address]);
  const transport = createTestTransport({
    lookup,
    isAllowedAddress: createAddressCheck(policy),
    connectionsPerOrigin: 1,
  });
  return {
    dns,
    server,
    save: () => checkWebhookHost(`https://${name}/`, policy, lookup),
    send: () => transport.send(requestTo(`http://${name}:${server.port}/`)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('public when it is saved, private when it is called: rejected, and nothing is sent', async () => {
  await using scene = await openScene([outside, { a: ['127.0.0.2'] }]);
  expect(await scene.save()).toMatchObject({ ok: true });
  expect(await scene.send()).toMatchObject({ kind: 'error', errorClass: 'blocked_address', sentBytes: 0 });
  expect(scene.server.connections()).toBe(0);
});

test('private when it is saved: rejected', async () => {
  await using scene = await openScene([{ a: ['127.0.0.2'] }]);
  expect(await scene.save()).toMatchObject({ ok: false, code: 'url_not_allowed' });
});

test('the name is asked for once per connection, so that the next answer comes too late', async () => {
  await using scene = await openScene([outside, { a: ['127.0.0.2'] }]);
  expect(asResponse(await scene.send()).remoteAddress).toBe('127.0.0.1');
  expect(scene.dns.questions.toSorted()).toEqual([`A ${name}`, `AAAA ${name}`]);
});

test('a kept connection stays where it was checked, a new one is checked again', async () => {
  await using kept = await openScene([outside, { a: ['127.0.0.2'] }]);
  for (let count = 0; count < 3; count += 1) expect(asResponse(await kept.send()).remoteAddress).toBe('127.0.0.1');
  expect(kept.server.connections()).toBe(1);
  await using fresh = await openScene([outside, { a: ['127.0.0.2'] }, outside], { connection: 'close' });
  asResponse(await fresh.send());
  expect(await fresh.send()).toMatchObject({ errorClass: 'blocked_address' });
  asResponse(await fresh.send());
  expect(fresh.server.received).toHaveLength(2);
});

test.each<[string, DnsRecords]>([
  ['two addresses, one of them inside', { a: ['127.0.0.1', '10.0.0.1'] }],
  ['an address outside and an IPv6 address inside', { a: ['127.0.0.1'], aaaa: ['::1'] }],
  ['an IPv6 address that embeds the one outside', { a: ['127.0.0.1'], aaaa: ['64:ff9b::7f00:1'] }],
  ['a metadata address beside it', { a: ['127.0.0.1', '169.254.169.254'] }],
])('a mixed answer (%s) is rejected as a whole, when saved and when called', async (_name, records) => {
  await using scene = await openScene([records]);
  expect(await scene.save()).toMatchObject({ ok: false, code: 'url_not_allowed' });
  expect(await scene.send()).toMatchObject({ errorClass: 'blocked_address' });
  expect(scene.server.connections()).toBe(0);
});
