// Risk: the package that users install works in this repository only.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedDelivery } from './signed-delivery.ts';
import { event, secret } from './test-receiver.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const tsc = join(root, '../../node_modules/.bin/tsc');
const application = mkdtempSync(join(tmpdir(), 'finhook-application-'));
const installed = join(application, 'node_modules/@finhook/client');
// Where each dependency that may be named is installed in this repository.
const sources = { '@trpc/client': root, '@trpc/server': join(root, '../../apps/api'), zod: join(root, '../contracts') };

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: application, encoding: 'utf8' });

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
}
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

// An application of its own that has what the package asks for, and nothing else of this repository.
beforeAll(() => {
  const tarball = run(process.execPath, join(root, 'scripts/pack-client.ts'), '--into', application).trim();
  mkdirSync(installed, { recursive: true });
  run('tar', '-xzf', tarball, '--strip-components=1', '-C', installed);
  for (const [name, source] of Object.entries(sources)) {
    mkdirSync(dirname(join(application, 'node_modules', name)), { recursive: true });
    symlinkSync(join(source, 'node_modules', name), join(application, 'node_modules', name));
  }
  mkdirSync(join(application, 'node_modules/@types'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(application, 'node_modules/@types/node'));
  writeFileSync(join(application, 'package.json'), '{"type":"module"}');
}, 120_000);
afterAll(() => rmSync(application, { recursive: true, force: true }));

test('it brings what is of this repository, and asks for the rest in versions like those it was made with', () => {
  const made = Object.entries(sources).map(([name, source]) => [
    name,
    `^${manifestIn(join(source, 'node_modules', name)).version}`,
  ]);
  expect(manifestIn(installed).dependencies).toEqual(Object.fromEntries(made));
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).filter((name) => !/\.(js|d\.ts|json)$/.test(name))).toEqual([]);
});

test('it verifies a delivery, rejects a forged one and says why', () => {
  writeFileSync(
    join(application, 'receive.js'),
    `import { parseWebhook } from '@finhook/client';
     const { body, headers, secrets } = JSON.parse(process.argv[2]);
     const verdicts = secrets.map((secret) => parseWebhook({ body, headers, secret }));
     console.log(JSON.stringify(verdicts.map((verdict) => verdict.ok ? verdict.event : verdict.reason)));`,
  );
  const { body, headers } = signedDelivery(event, { secrets: [secret] });
  const secrets = [secret, `${secret.slice(0, -4)}AAAA`];
  const delivery = JSON.stringify({ body: body.toString(), headers, secrets });
  expect(JSON.parse(run(process.execPath, 'receive.js', delivery))).toEqual([event, 'no_matching_signature']);
});

test('a strict TypeScript application gets the types of every procedure and event, end to end', () => {
  for (const example of ['typed-client.ts', 'ten-lines.ts'])
    cpSync(join(root, 'examples', example), join(application, example));
  writeFileSync(
    join(application, 'wrong.ts'),
    `import { createClient, isKnownEvent, type ReceivedEvent } from '@finhook/client';
     const finhook = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'sk_test_x' });
     const { balance_cents } = await finhook.cash.balances.upsert({
       company_id: 'co_x', as_of: '2026-03-02', currency: 'USD',
       // @ts-expect-error cents are a number
       balance_cents: '1',
     });
     // @ts-expect-error and they come back as one
     balance_cents.length;
     export function currencyOf(event: ReceivedEvent): string | undefined {
       return isKnownEvent(event) && event.type === 'bank.transaction.posted' ? event.data.transactions[0]?.currency : undefined;
     }`,
  );
  // What tRPC declares itself does not stand without the types of packages that nobody needs here.
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  const files = ['typed-client.ts', 'ten-lines.ts', 'wrong.ts'];
  const compiler = spawnSync(tsc, [...options, '--types', 'node', ...files], { cwd: application, encoding: 'utf8' });
  expect(compiler).toMatchObject({ stdout: '', status: 0 });
});
