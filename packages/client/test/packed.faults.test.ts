// Risk: the package that users install fails on their runtime, though it works on that of this repository.
import { execFile } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSigningKeyPair } from '@finhook/signing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Application, installApplication } from './application.ts';
import { type Listening, listen } from './listen.ts';
import { signedDelivery } from './signed-delivery.ts';
import { type Finhook, startFinhook } from './start-finhook.ts';
import { event, secret } from './test-receiver.ts';

const runtimes = fileURLToPath(new URL('../runtimes', import.meta.url));
const areInstalled = existsSync(join(runtimes, 'node_modules'));
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

/** Runs the program of all runtimes, and compares what it returns. */
async function expectProgram(command: string, ...args: readonly string[]): Promise<void> {
  const { publicKey, privateKey } = generateSigningKeyPair();
  const { body, headers } = signedDelivery(event, { secrets: [secret], privateKey });
  const secrets = [secret, publicKey, `${secret.slice(0, -4)}AAAA`];
  const connection = { ...finhook.connection, baseUrl: unsteady.url };
  const name = `Packed ${args.join(' ')}`;
  const INPUT = JSON.stringify({ connection, name, body: body.toString(), headers, secrets });
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, INPUT };
  const { stdout } = await promisify(execFile)(command, args, { cwd: application.folder, env });
  const output: unknown = JSON.parse(stdout);
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
  ])('on %s', (_, runtime, ...args) => expectProgram(join(runtimes, 'node_modules/.bin', runtime), ...args));
});
