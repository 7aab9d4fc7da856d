// Risk: the published package works only in this repository, or a partly stored file is stored twice.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMigratedDatabase } from '@finhook/core/test';
import { type Receiver, startReceiver } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useLocalService } from '../use-local.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const camt = join(root, '../../packages/bank-files/test/samples/camt/camt053.v2.multi.statement.xml');
const application = mkdtempSync(join(tmpdir(), 'finhook-application-'));
const service = useLocalService(() => createMigratedDatabase(inject('pgUrl')));

/** The machine's Node, which may be older than the repository's. */
const machineNode = ['/usr/local/bin/node', '/usr/bin/node'].find((file) => existsSync(file)) ?? process.execPath;

interface Options {
  input?: string;
  env?: Record<string, string>;
}

function start(args: readonly string[], { input = '', env }: Options = {}) {
  const { api_url, api_key } = service.local.info;
  const own = { FINHOOK_CONFIG_DIR: application, FINHOOK_URL: api_url, FINHOOK_API_KEY: api_key };
  const program = join(application, 'node_modules/.bin/finhook');
  const child = spawn(machineNode, [program, ...args], { cwd: application, env: { ...own, ...env } });
  child.stdin.end(input);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...printed }));
  return { child, ended, stderr: () => printed.stderr };
}

const run = (...args: string[]) => start(args).ended;
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

let receiver: Receiver;
let secret: string;
let company: string;

// npm needs no registry for a package without dependencies.
beforeAll(async () => {
  const packing = { cwd: application, encoding: 'utf8' } as const;
  const tarball = execFileSync(process.execPath, [join(root, 'scripts/pack-cli.ts'), '--into', application], packing);
  writeFileSync(join(application, 'package.json'), '{}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball.trim()], packing);
  receiver = await startReceiver();
  const events = ['bank.transaction.posted', 'bank.balance.updated'].flatMap((type) => ['--events', type]);
  ({ secret } = await json('webhook-endpoints', 'create', '--url', receiver.url, ...events));
  ({ id: company } = await json('companies', 'create', '--name', 'Outside'));
}, 120_000);
afterAll(async () => {
  await receiver.close();
  rmSync(application, { recursive: true, force: true });
});

/** Received deliveries of this type for a company. */
const arrived = (type: string, companyId: string) =>
  receiver.requests
    .map(({ body, headers }) => ({ event: JSON.parse(body.toString()), body, headers }))
    .filter(({ event }) => event.type === type && event.company_id === companyId);

/** Resolves once `count` rows or balances have arrived. Verifies each delivery with the package. */
async function received(count: number, type: string, companyId: string): Promise<Record<string, unknown>[]> {
  // A delivery may be repeated.
  const rows = () =>
    [...new Map(arrived(type, companyId).map(({ event }) => [event.id, event.data])).values()].flatMap(
      (data) => data.transactions ?? [data],
    );
  await expect.poll(() => rows().length, { timeout: 60_000 }).toBe(count);
  for (const { body, headers } of arrived(type, companyId)) {
    const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${String(value)}`]);
    const options = { input: body.toString(), env: { FINHOOK_WEBHOOK_SECRET: secret } };
    const verified = await start(['verify-signature', '--body', '-', ...given], options).ended;
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('x-service-signature  valid') });
  }
  return rows();
}

test('the package needs no other, and has its licences, readme and changelog', async () => {
  expect(readdirSync(join(application, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['finhook']);
  const file = (name: string) => readFileSync(join(application, 'node_modules/finhook', name), 'utf8');
  expect(file('LICENSE')).toMatch(/commander[^]*sax[^]*zod/);
  expect(file('README.md')).toContain('finhook ingest');
  expect(file('CHANGELOG.md')).toContain(`## [${JSON.parse(file('package.json')).version}]`);
  expect(await run('--version')).toMatchObject({ code: 0, stdout: `${JSON.parse(file('package.json')).version}\n` });
  expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/ingest[^]*webhook-endpoints/) });
  expect(await run('doctor')).toMatchObject({ code: 0 });
});

test('commands that need the server say so', async () => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:9/none' };
  expect(await start(['migrate', 'plan'], { env }).ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("server's image"),
  });
});

test('a balance and a CSV file of the command line arrive at a verified receiver', async () => {
  const balance = ['--as-of', '2026-03-02', '--balance-cents', '41250000', '--currency', 'USD'];
  expect(await run('cash', 'balances', 'upsert', company, ...balance)).toMatchObject({ code: 0 });
  const file = join(application, 'statement.csv');
  writeFileSync(file, 'Date,Amount,Description\n2026-03-01,-125.00,Hosting\n2026-03-02,980.50,Invoice 7\n');
  expect(await run('ingest', file, company, '--yes', '--currency', 'USD', '--connection', 'giro')).toMatchObject({
    code: 0,
  });
  expect(await received(1, 'bank.balance.updated', company)).toMatchObject([{ balance_cents: 41_250_000 }]);
  const rows = [{ amount_cents: -12_500 }, { amount_cents: 98_050 }];
  expect(await received(2, 'bank.transaction.posted', company)).toMatchObject(rows);
});

test('a CAMT.053 file arrives at a verified receiver, with its balance', async () => {
  const { id } = await json('companies', 'create', '--name', 'With a bank');
  expect(await run('ingest', camt, id, '--yes')).toMatchObject({ code: 0 });
  expect(await received(2, 'bank.transaction.posted', id)).toMatchObject([
    { amount_cents: 885, currency: 'EUR' },
    { amount_cents: -700, connection_id: 'NL26VAYB8060476890' },
  ]);
  const balance = { balance_cents: 2000, as_of: '2014-12-31' };
  expect(await received(1, 'bank.balance.updated', id)).toMatchObject([balance]);
});

test('the package reads files in its own worker: skipped rows are listed, errors have their line, a deadline ends it', async () => {
  const partly = join(application, 'partly.csv');
  writeFileSync(partly, 'Date,Amount,Currency\n2026-03-01,-1.00,USD\n2026-03-02,x,USD\n');
  expect(await run('ingest', partly, company, '--yes', '--connection', 'giro')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('1 row skipped, listed in'),
  });
  expect(readFileSync(`${partly}.skipped.csv`, 'utf8')).toContain('""x"" is not an amount');
  const broken = join(application, 'broken.xml');
  writeFileSync(broken, '<Document>\n<BkToCstmrStmt></Document>');
  expect(await run('ingest', broken, company, '--dry-run')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Line 2, column \d+: not well-formed XML/),
  });
  expect(await run('ingest', camt, company, '--dry-run', '--read-timeout', '0.000001')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('allow more time with --read-timeout'),
  });
});

test('after a kill -9 in the middle of a file, the second run stores the rest, and every row arrives once', async () => {
  const { id } = await json('companies', 'create', '--name', 'Interrupted');
  const rows = 2_000;
  const file = join(application, 'large.csv');
  const lines = Array.from({ length: rows }, (_, i) => `2026-03-01,-${i + 1}.00,Row ${i}`);
  writeFileSync(file, `Date,Amount,Description\n${lines.join('\n')}\n`);
  const ingest = ['ingest', file, id, '--yes', '--currency', 'USD', '--connection', 'giro', '--json'];
  const first = start(ingest);
  await expect.poll(first.stderr, { timeout: 60_000, interval: 5 }).toMatch(/\d+ of 2000 stored/);
  first.child.kill('SIGKILL');
  expect(await first.ended).toMatchObject({ code: null, stdout: '' });
  const second = await run(...ingest);
  expect(second.code).toBe(0);
  const { stored, stored_before } = JSON.parse(second.stdout);
  expect(stored + stored_before).toBe(rows);
  expect(stored_before).toBeGreaterThanOrEqual(500);
  expect(stored).toBeGreaterThan(0);
  const stdout = (await run('bank', 'transactions', 'list', id, '--all', '--json')).stdout.trim().split('\n');
  const amounts = stdout.map((line): number => JSON.parse(line).amount_cents).toSorted((a, b) => a - b);
  expect(amounts).toEqual(Array.from({ length: rows }, (_, i) => (i - rows) * 100));
  expect(await received(rows, 'bank.transaction.posted', id)).toHaveLength(rows);
});
