// Risk: a copied command runs something else or sends another request, or a header is missing, wrongly signed or
// reused.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { createAsymmetricSigner, createSigner, generateSigningKeyPair, verifyStandardWebhook } from '@finhook/signing';
import { startReceiver } from '@finhook/testing';
import { assert, asyncProperty, constantFrom, dictionary, oneof, string, stringMatching, webUrl } from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { prepareRequest, toCurl } from './prepare-request.ts';

const execute = promisify(execFile);

/** Runs a script from standard input, which has no length limit. */
function runShell(script: string): Promise<{ stdout: string }> {
  const running = execute('sh', [], { encoding: 'utf8', maxBuffer: 4_000_000 });
  running.child.stdin?.end(script);
  return running;
}

// Replaces curl with a function that prints its arguments and standard input.
const printer = `curl() { printf '%s\\0' "$@"; case "$*" in *'--data-binary @-'*) cat ;; esac; }`;

async function wordsOf(command: string): Promise<string[]> {
  const { stdout } = await runShell(`${printer}\n${command}`);
  return stdout.split('\0');
}

const nasty = constantFrom(
  "'",
  '"',
  '\\',
  '$(id)',
  '`id`',
  '\n',
  '!!',
  "'\\''",
  '%s',
  '${HOME}',
  '*',
  '~',
  ';',
  '&',
  '@x',
);
const text = oneof(string({ unit: 'binary', maxLength: 40 }), string({ unit: nasty, maxLength: 12 })).map((value) =>
  value.replaceAll('\0', '').toWellFormed(),
);

test('whatever is in the url, the headers and the body stays one word of the shell', async () => {
  const property = asyncProperty(
    webUrl({ withQueryParameters: true }),
    dictionary(stringMatching(/^[a-z][a-z-]{0,12}$/), text, { maxKeys: 4, noNullPrototype: true }),
    text,
    async (url, headers, body) => {
      const words = await wordsOf(toCurl({ url, headers, body }));
      const sent = Object.entries(headers).filter(([name]) => name !== 'content-length');
      expect(words).toEqual([
        '--globoff',
        '--request',
        'POST',
        '--url',
        url,
        ...sent.flatMap(([name, value]) => ['--header', value === '' ? `${name};` : `${name}: ${value}`]),
        ...('accept' in headers ? [] : ['--header', 'Accept:']),
        '--header',
        'Expect:',
        '--data-raw',
        body,
        '',
      ]);
    },
  );
  await assert(property, { numRuns: 60 });
});

test('a body that is too long for an argument is piped, byte by byte', async () => {
  const body = JSON.stringify({ text: "it's 100 % 'quoted'\n\u00e4\ud83d\ude00 \\n $HOME ".repeat(6_000) });
  const words = await wordsOf(toCurl({ url: 'https://example.com/', headers: {}, body }));
  expect(words.slice(-4)).toEqual(['Expect:', '--data-binary', '@-', body]);
});

test('curl sends the request that was sent', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const bodies = [`{"a":"it's","b":[1,2]}`, JSON.stringify({ long: "ä'\n".repeat(60_000) })];
  const headers = {
    'content-type': 'application/json',
    'content-length': '22',
    'user-agent': 'finhook/1',
    'x-empty': '',
  };
  for (const body of bodies) {
    await runShell(`${toCurl({ url: `${receiver.url}/a?b={1,2}&c=[1-3]`, headers, body })} --silent`);
  }
  expect(receiver.requests).toHaveLength(2);
  for (const [index, request] of receiver.requests.entries()) {
    expect(request.body.toString()).toBe(bodies[index]);
    expect(request.path).toBe('/a?b={1,2}&c=[1-3]');
    expect(request.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(bodies[index] ?? '')),
      'user-agent': 'finhook/1',
      'x-empty': '',
    });
  }
});

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const newSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const body = Buffer.from('{"id":"evt_1","amount":"12,50 €"}');
const about = { id: 'dlv_1', eventId: 'evt_1', eventType: 'bank.balance.updated' };
const delivery = { ...about, sequence: '12', attempt: 3, body, test: false };
const target = { url: 'https://example.com/h', signer: createSigner(secret), overlapSigners: [] };

test('the headers are exactly these and signed with whole seconds', () => {
  const { headers, url, body: sent } = prepareRequest(delivery, target, new Date(1_700_000_000_999));
  const hmac = createHmac('sha256', secret).update('1700000000.').update(body).digest('hex');
  expect(headers).toEqual({
    accept: '*/*',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'content-length': String(body.byteLength),
    'user-agent': 'finhook/1',
    'x-service-signature': `t=1700000000,v1=${hmac}`,
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    'x-service-event': 'bank.balance.updated',
    'x-service-delivery': 'dlv_1',
    'x-service-sequence': '12',
    'x-service-attempt': '3',
  });
  expect(url).toBe('https://example.com/h');
  expect(sent).toBe(body);
});

test('during a rotation both secrets verify, and the service signature stays with the first', () => {
  const rotating = { ...target, overlapSigners: [createSigner(newSecret)] };
  const at = new Date();
  const { headers } = prepareRequest(delivery, rotating, at);
  for (const each of [secret, newSecret]) {
    expect(new Webhook(each).verify(body, { ...headers })).toMatchObject({ id: 'evt_1' });
  }
  expect(headers['x-service-signature']).toBe(prepareRequest(delivery, target, at).headers['x-service-signature']);
});

test('every attempt has its own signature over the same id and bytes', () => {
  const first = prepareRequest({ ...delivery, attempt: 1 }, target, new Date(1_700_000_000_000)).headers;
  const second = prepareRequest({ ...delivery, attempt: 2 }, target, new Date(1_700_000_005_000)).headers;
  expect(second['webhook-id']).toBe(first['webhook-id']);
  expect(second['webhook-timestamp']).toBe('1700000005');
  expect(second['x-service-signature']).not.toBe(first['x-service-signature']);
  expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
});

test('what is no event of the feed has no place in a sequence', () => {
  const { headers } = prepareRequest({ ...delivery, sequence: undefined }, target, new Date());
  expect(Object.keys(headers)).not.toContain('x-service-sequence');
});

test('a test send says so', () => {
  expect(prepareRequest({ ...delivery, test: true }, target, new Date()).headers['x-service-test']).toBe('true');
});

test('an endpoint’s own headers are sent along, and none takes the place of ours', () => {
  const headers = { accept: 'text/plain', authorization: 'Bearer x', 'webhook-id': 'forged', 'content-length': '1' };
  const prepared = prepareRequest(delivery, { ...target, headers }, new Date());
  expect(prepared.headers).toMatchObject({
    accept: 'text/plain',
    authorization: 'Bearer x',
    'webhook-id': 'evt_1',
    'content-length': String(body.byteLength),
  });
});

test('the official library ignores v1a next to v1', async () => {
  const { privateKey, publicKey } = generateSigningKeyPair();
  const asymmetric = { ...target, overlapSigners: [createAsymmetricSigner(privateKey)] };
  const at = new Date();
  const { headers } = prepareRequest(delivery, asymmetric, at);
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  expect(new Webhook(secret).verify(body, { ...headers })).toMatchObject({ id: 'evt_1' });
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  );
  const check = { headers: { id, timestamp, signature }, body, secrets: [publicKey], now: at.getTime() / 1_000 };
  expect(await verifyStandardWebhook(check)).toMatchObject({ ok: true });
});
