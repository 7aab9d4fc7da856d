// Risk: an import stops for a reason that is none, stores a mapping that nobody wanted, or ends without a report.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMigratedDatabase } from '@finhook/core/test';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useLocalService } from '../use-local.ts';
import { type CommandLine, openCommandLine } from './run-finhook.ts';

const service = useLocalService(() => createMigratedDatabase(inject('pgUrl')));
let finhook: CommandLine;
let company: string;
let count = 0;
beforeAll(async () => {
  const { api_url, api_key } = service.local.info;
  finhook = openCommandLine({ FINHOOK_URL: api_url, FINHOOK_API_KEY: api_key });
  company = JSON.parse((await finhook.run('companies', 'create', '--name', 'Beta', '--json')).stdout).id;
});
afterAll(() => finhook.remove());

function fileOf(text: string): string {
  const path = join(finhook.folder, `report-${count++}.csv`);
  writeFileSync(path, text);
  return path;
}

async function createKey(permission: string): Promise<string> {
  const flags = ['--name', permission, '--scope', 'human', '--permissions', permission, '--json'];
  return JSON.parse((await finhook.run('api-keys', 'create', ...flags)).stdout).key;
}

test('a key that may not store balances stores the rows, and the balances are listed', async () => {
  const env = { FINHOOK_API_KEY: await createKey('transactions:write') };
  const path = fileOf('Date,Amount,Currency,Description,Balance\n2026-03-01,-1.00,EUR,a,10.00\n');
  const ingest = ['ingest', path, company, '--yes', '--json', '--connection', 'rows-only'];
  const { code, stdout } = await finhook.runWith({ env }, ...ingest);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    stored: 1,
    balances_skipped: 1,
    messages: [{ level: 'loss', code: 'balance', line: 2 }],
  });
});

test('more than 500 rows of one day and amount are refused without advice about the format', async () => {
  const path = fileOf(`Date,Amount,Currency,Description\n${'2026-03-01,-1.00,EUR,a\n'.repeat(501)}`);
  const ingest = ['ingest', path, company, '--yes', '--json', '--connection', 'many'];
  const { code, stdout, stderr } = await finhook.run(...ingest);
  expect(code).toBe(1);
  expect(stderr).toMatch(/can't be imported\. Line 2, column 1: 501 rows .* Nothing was stored/s);
  expect(stderr).not.toContain('--format');
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 1, messages: [{ code: 'unstorable', line: 2 }] });
});

test('a mapping is saved when the file is stored, and not by a dry run', async () => {
  const path = fileOf('Date,Amount,Currency,Description\n2026-03-02,-1.00,EUR,a\n');
  const ingest = ['ingest', path, company, '--connection', 'mapped', '--mapping', 'later'];
  const saved = join(finhook.folder, 'csv-mappings.json');
  expect(await finhook.run(...ingest, '--dry-run')).toMatchObject({ code: 0 });
  expect(existsSync(saved)).toBe(false);
  expect(await finhook.run(...ingest, '--yes')).toMatchObject({ code: 0 });
  expect(existsSync(saved)).toBe(true);
  const { stdout } = await finhook.run('ingest', path, company, '--connection', 'mapped', '--dry-run', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    messages: [{ level: 'note', code: 'saved_mapping', message: expect.stringContaining('--mapping later uses it') }],
  });
});

test('the label of a connection may have an equals sign', async () => {
  const path = fileOf('Date,Amount,Currency,Description\n2026-03-02,-1.00,EUR,a\n');
  const stored = await finhook.run('ingest', path, company, '--yes', '--json', '--connection', 'bank=giro');
  expect(JSON.parse(stored.stdout)).toMatchObject({ exit_code: 0, stored: 1 });
  const { stdout } = await finhook.run(
    'bank',
    'transactions',
    'list',
    company,
    '--connection-id',
    'bank=giro',
    '--json',
  );
  expect(JSON.parse(stdout).data).toHaveLength(1);
});

test('an import that the service refuses ends with a report', async () => {
  const path = fileOf('Date,Amount,Currency,Description\n2026-03-02,-1.00,EUR,a\n');
  const env = { FINHOOK_API_KEY: await createKey('cash:write') };
  const ingest = ['ingest', path, company, '--yes', '--json', '--connection', 'refused'];
  const { code, stdout } = await finhook.runWith({ env }, ...ingest);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    exit_code: 1,
    stored: 0,
    messages: [{ level: 'loss', code: 'insufficient_scope', message: expect.any(String) }],
  });
});
