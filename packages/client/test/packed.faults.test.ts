// Risk: the packed client fails on a runtime, or rejects deliveries of the running service.
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseWebhook, type ReceivedEvent } from '@finhook/client';
import { generateSigningKeyPair } from '@finhook/signing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Application, compilers, installApplication } from './application.ts';
import { examples } from './examples.ts';
import { type Listening, listen } from './listen.ts';
import { signedDelivery } from './signed-delivery.ts';
import { type Finhook, startFinhook } from './start-finhook.ts';
import { event, secret } from './test-receiver.ts';

const runtimes = fileURLToPath(new URL('../runtimes', import.meta.url));
const areInstalled = existsSync(join(runtimes, 'node_modules'));
const runtime = (name: string): string => join(runtimes, 'node_modules/.bin', name);
/** The oldest supported Node, if installed. */
const node = areInstalled ? runtime('node') : process.execPath;
if (!areInstalled)
  console.warn('\n  !! The runtimes are not in packages/client/runtimes: the packed client does NOT run on them. !!\n');

let application: Application;
let finhook: Finhook;
let unsteady: Listening;
beforeAll(async () => {
  application = installApplication();
  for (const name of ['program.js', 'module.js', 'common.cjs', 'worker.js', 'worker.capnp'])
    cpSync(join(runtimes, name), join(application.folder, name));
  finhook = await startFinhook();
  unsteady = await startUnsteady(finhook.connection.baseUrl);
}, 180_000);
afterAll(async () => {
  await unsteady.close();
  await finhook.stop();
  application.remove();
});

/** Responds with 503 to the first attempt of each mutation, and passes everything else on to the service. */
function startUnsteady(baseUrl: string): Promise<Listening> {
  const attempted = new Set<unknown>();
  return listen((incoming, response) => {
    const { method, url, headers } = incoming;
    const key = headers['idempotency-key'];
    if (key !== undefined && !attempted.has(key)) {
      attempted.add(key);
      response.writeHead(503, { 'retry-after': '0' }).end();
      return;
    }
    const outgoing = request(new URL(url ?? '', baseUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
}

/** Runs a program in the application's folder and returns its output. */
async function run(command: string, args: readonly string[], variables: Record<string, string> = {}): Promise<string> {
  // pnpm installs `deno` and `workerd` as scripts for Node.
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...variables };
  return (await promisify(execFile)(command, args, { cwd: application.folder, env })).stdout;
}

async function expectProgram(command: string, ...args: readonly string[]): Promise<void> {
  const { publicKey, privateKey } = generateSigningKeyPair();
  const { body, headers } = signedDelivery(event, { secrets: [secret], privateKey });
  const secrets = [secret, publicKey, `${secret.slice(0, -4)}AAAA`];
  const connection = { ...finhook.connection, baseUrl: unsteady.url };
  const name = `Packed ${args.join(' ')}`;
  const INPUT = JSON.stringify({ connection, name, body: body.toString(), headers, secrets });
  const output: unknown = JSON.parse(await run(command, args, { INPUT }));
  expect(output).toMatchObject({
    id: expect.stringMatching(/^co_/),
    retries: [['companies.create', 503]],
    names: expect.arrayContaining([name]),
    missing: true,
    verdicts: [event, event, 'no_matching_signature', { type: 'company.created' }],
  });
}

describe('a program calls the service and verifies deliveries', () => {
  test.each([['module.js'], ['common.cjs']])('on the Node of this repository: %s', (file) =>
    expectProgram(process.execPath, file),
  );

  const workers = ['--import-path', join(runtimes, 'node_modules'), 'worker.capnp'];
  test.skipIf(!areInstalled).each<[string, string, ...string[]]>([
    ['Node 20, as a module', 'node', 'module.js'],
    ['Node 20, as CommonJS', 'node', 'common.cjs'],
    ['Deno, which lets it do nothing else', 'deno', 'run', '--allow-net=127.0.0.1', '--allow-env=INPUT', 'module.js'],
    ['Bun', 'bun', 'module.js'],
    ['workerd, as in Cloudflare Workers', 'workerd', 'test', ...workers],
  ])('on %s', (_, name, ...args) => expectProgram(runtime(name), ...args));
});

/** Prints its address and then each event. */
const receiver = `import { createServer } from 'node:http';
  import { webhookListener } from './node.js';
  const server = createServer(webhookListener(process.env['SECRET'] ?? '', async (event) => console.log(JSON.stringify(event))));
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));`;

test('a provider pushes with a key of scope ingest, and the example receiver verifies the webhooks', async () => {
  writeFileSync(join(application.folder, 'receiver.ts'), receiver);
  for (const name of ['provider.ts', 'node.ts'])
    cpSync(fileURLToPath(new URL(`../examples/${name}`, import.meta.url)), join(application.folder, name));
  const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  await run(process.execPath, [compilers[7], ...options, 'provider.ts', 'receiver.ts']);
  const { client, companyId } = finhook;
  const { webhookEndpoints } = client;
  const events = ['bank.transaction.posted' as const, 'bank.balance.updated' as const];
  const endpoint = await webhookEndpoints.create({ url: 'http://127.0.0.1:4000/', events });
  const key = await client.apiKeys.create({
    name: 'Acme Bank',
    scope: 'ingest',
    company_ids: [companyId],
    connection_ids: ['acme-checking'],
    sources: ['acme-bank'],
  });

  const receiving = spawn(node, ['receiver.js'], { cwd: application.folder, env: { SECRET: endpoint.secret } });
  const lines = createInterface(receiving.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
  try {
    const { port } = asAddress(await next());
    await webhookEndpoints.update({ endpoint_id: endpoint.id, url: `http://127.0.0.1:${port}/` });
    const env = { FINHOOK_URL: unsteady.url, FINHOOK_API_KEY: key.key, COMPANY_ID: companyId };
    expect(await run(node, ['provider.js'], env)).toBe('transactions: 2 inserted, 0 known; balance: created\n');
    expect(await run(node, ['provider.js'], env)).toBe('transactions: 0 inserted, 2 known; balance: unchanged\n');
    // Each request except dry runs has an event.
    const received = [await next(), await next(), await next(), await next()].map(asEvent);
    expect(received.map(({ type, data }) => `${type} ${data.count ?? data.balance_cents}`).sort()).toEqual([
      'bank.balance.updated 41250000',
      'bank.balance.updated 41250000',
      'bank.transaction.posted 0',
      'bank.transaction.posted 2',
    ]);
  } finally {
    receiving.kill();
  }
});

test('the largest batch that can be posted arrives at every example, and both official libraries verify it', async () => {
  const { client, companyId: company_id } = finhook;
  const running: Listening[] = [];
  /** Subscribes a receiver, which needs the endpoint's secret before it has an address. */
  const subscribe = async (start: (secret: string) => Promise<Listening>): Promise<string> => {
    const events = ['bank.transaction.posted' as const];
    const endpoint = await client.webhookEndpoints.create({ url: 'http://127.0.0.1:4000/not-yet', events });
    const listening = await start(endpoint.secret);
    running.push(listening);
    await client.webhookEndpoints.update({ endpoint_id: endpoint.id, url: `${listening.url}/webhooks` });
    return endpoint.secret;
  };
  const stored: [name: string, events: ReceivedEvent[]][] = examples.map(({ name }) => [name, []]);
  for (const [index, { start }] of examples.entries())
    await subscribe((key) => start(key, async (received) => void stored[index]?.[1].push(received)));
  const received: { body: Buffer; headers: Record<string, string> }[] = [];
  const own = await subscribe(() =>
    listen((incoming, response) => {
      void buffer(incoming).then((body) => {
        received.push({ body, headers: asTexts(incoming.headers) });
        response.writeHead(204).end();
      });
    }),
  );
  // Their event is larger than 1 MiB, the default limit of Fastify.
  const transactions = Array.from({ length: 500 }, (_, index) => ({
    external_id: `row-${index}`,
    posted_at: '2026-03-01T14:05:00Z',
    amount_cents: -100 - index,
    currency: 'USD',
    description: 'x'.repeat(2_000),
  }));
  const { event_id } = await client.bank.transactions.ingest({ company_id, transactions });
  await expect
    .poll(() => [received, ...stored.map(([, events]) => events)].map(({ length }) => length), { timeout: 20_000 })
    .toEqual([1, ...stored.map(() => 1)]);

  const [delivery] = received;
  if (delivery === undefined) throw new Error('Nothing was recorded.');
  expect(delivery.body.byteLength).toBeGreaterThan(1024 * 1024);
  for (const Webhook of [StandardWebhook, SvixWebhook])
    expect(() => new Webhook(own).verify(delivery.body, delivery.headers)).not.toThrow();
  const parsed = await parseWebhook({ ...delivery, secret: own });
  if (!parsed.ok) throw new Error(`${parsed.reason}: ${parsed.hint}`);
  expect(parsed.event.id).toBe(event_id);
  for (const [name, events] of stored) expect(events, name).toEqual([parsed.event]);
  await Promise.all(running.map((each) => each.close()));
});

function asTexts(headers: IncomingHttpHeaders): Record<string, string> {
  return headers as Record<string, string>;
}

function asAddress(value: unknown): { port: number } {
  return value as { port: number };
}

function asEvent(value: unknown): { type: string; data: { count?: number; balance_cents?: number } } {
  return value as { type: string; data: { count?: number; balance_cents?: number } };
}
