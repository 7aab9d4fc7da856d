// Risk: the receiver that judges deliveries drops or alters a request, or does not misbehave as a test asked it to.
import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Receiver, startReceiver } from './start-receiver.ts';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.close());

const post = (path: string, body: string | Uint8Array<ArrayBuffer> = '') =>
  fetch(receiver.url + path, { method: 'POST', body });

test('records method, path, headers and the exact bytes', async () => {
  const bytes = Uint8Array.of(0, 255, 10, 13);
  await fetch(`${receiver.url}/hook?a=1`, { method: 'PUT', body: bytes, headers: { 'X-Test': 'yes' } });
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: 'PUT', path: '/hook?a=1', headers: { 'x-test': 'yes' } });
  expect(request?.body).toEqual(Buffer.from(bytes));
  expect(request?.receivedAt).toBeInstanceOf(Date);
});

test('plays a script in turn, the last one for ever, each path by itself', async () => {
  receiver.script('/a', { status: 500, body: 'no' }, { status: 204, headers: { 'x-response': '2' } });
  const first = await post('/a');
  expect([first.status, await first.text()]).toEqual([500, 'no']);
  expect((await post('/b')).status).toBe(200);
  const second = await post('/a?x');
  expect([second.status, second.headers.get('x-response')]).toEqual([204, '2']);
  expect((await post('/a')).status).toBe(204);
});

test('holds responses until they are released, of one path or of all', async () => {
  for (const path of ['/a', '/b']) receiver.script(path, { status: 202, held: true }, {});
  const [a, b] = [post('/a?x'), post('/b')];
  await receiver.waitFor((requests) => requests.length === 2);
  expect((await post('/a')).status).toBe(200);
  expect([receiver.release('/a'), (await a).status]).toEqual([1, 202]);
  expect([receiver.release(), (await b).status, receiver.release()]).toEqual([1, 202, 0]);
});

test('asks a function how often the path was requested', async () => {
  const counting = await startReceiver({ respond: (_request, count) => ({ status: 200 + count }) });
  const statuses = [await fetch(counting.url), await fetch(counting.url)].map((response) => response.status);
  expect(statuses).toEqual([201, 202]);
  await counting.close();
});

test('resets a connection', async () => {
  receiver.script('/', { fault: 'reset' });
  await expect(post('/')).rejects.toThrow('fetch failed');
  expect(receiver.requests).toHaveLength(1);
});

test('hangs until it is closed', async () => {
  receiver.script('/', { fault: 'hang' });
  const response = post('/').then(
    () => 'answered',
    () => 'broken',
  );
  await receiver.waitFor((requests) => requests.length === 1);
  await receiver.close();
  expect(await response).toBe('broken');
});

test('delays and drips: a request that comes later is answered before', async () => {
  receiver.script('/', { delayMs: 30, dripMs: 10, body: 'slow' });
  const order: string[] = [];
  const slow = new Promise<Buffer[]>((resolve, reject) => {
    const got: Buffer[] = [];
    httpRequest(receiver.url, (response) => {
      response.on('data', (chunk: Buffer) => got.push(chunk));
      response.on('end', () => resolve(got));
    })
      .on('error', reject)
      .end();
  });
  const quick = receiver.waitFor((requests) => requests.length > 0).then(() => post('/quick'));
  await Promise.all([slow.then(() => order.push('slow')), quick.then(() => order.push('quick'))]);
  expect(order).toEqual(['quick', 'slow']);
  expect(Buffer.concat(await slow).toString()).toBe('slow');
  expect((await slow).length).toBeGreaterThan(1);
});

test('waitFor resolves on the request that makes the condition true', async () => {
  const waiting = receiver.waitFor((requests) => requests.some((request) => request.path === '/second'));
  await post('/first');
  await post('/second');
  expect(await waiting).toHaveLength(2);
});

test('waitFor rejects in time and says how far it came', async () => {
  await post('/');
  await expect(receiver.waitFor(() => false, { timeoutMs: 20 })).rejects.toThrow('20 ms in vain; it has 1 requests');
});

test('clear forgets requests and starts the scripts again', async () => {
  receiver.script('/', { status: 500 }, { status: 200 });
  await post('/');
  receiver.clear();
  expect(receiver.requests).toHaveLength(0);
  expect((await post('/')).status).toBe(500);
});
