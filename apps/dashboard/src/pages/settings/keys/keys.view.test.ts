// Risk: a new key gets wider access than the form says, or its row shows less access than it has.
import { permission } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { readFields } from '../../../operation/operation-form.tsx';
import { partial } from '../../../test/partial.ts';
import { keyFields } from './key-form.tsx';
import { type ApiKey, accessSummary, offeredPermissions, permissions, pushCommands, scopes } from './keys.view.ts';

function form(fields: Readonly<Record<string, string | readonly string[]>>): FormData {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) data.append(name, value);
  return data;
}

function keyInput(data: FormData): object {
  const scope = scopes.find(([name]) => name === data.get('scope'))?.[0] ?? 'human';
  const fields = keyFields(scope, () => undefined, {});
  const read = readFields('apiKeys.create', fields, data, { zone: 'UTC', currency: 'USD', isUpdate: false });
  return 'values' in read ? read.values : read;
}

const key = partial<ApiKey>({
  scope: 'human',
  company_ids: null,
  connection_ids: null,
  sources: null,
  permissions: null,
  ip_allowlist: null,
  agent_id: null,
});

test('the form offers every permission', () => {
  expect(permissions.map(([name]) => name).sort()).toEqual([...permission.options].sort());
});

test('a form without limits sends none', () => {
  const data = form({ name: ' Import ', scope: 'human', expires_in_days: '', ip_allowlist: ' ' });
  expect(keyInput(data)).toEqual({ name: 'Import', scope: 'human' });
});

test('every limit of the form is sent', () => {
  const data = form({
    name: 'Import',
    scope: 'agent',
    agent_id: 'agent_1',
    expires_in_days: 'other',
    days: '12',
    company_ids: ['co_1', 'co_2'],
    permissions: 'runtime:write',
    ip_allowlist: '203.0.113.7\n198.51.100.0/24, 2001:db8::/32',
  });
  expect(keyInput(data)).toEqual({
    name: 'Import',
    scope: 'agent',
    agent_id: 'agent_1',
    expires_in_days: 12,
    company_ids: ['co_1', 'co_2'],
    permissions: ['runtime:write'],
    ip_allowlist: ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'],
  });
});

test.each(['soon', '', '1e999', ' '])(
  'days "%s" are sent and rejected: without them the key would never expire',
  (days) => {
    expect(keyInput(form({ scope: 'read', expires_in_days: 'other', days }))).toMatchObject({ expires_in_days: 0 });
  },
);

test('a row summarises the access of its key', () => {
  expect(accessSummary({ ...key, scope: 'agent', agent_id: 'agt_1' })).toBe('One agent');
  expect(accessSummary(key)).toBe('Unrestricted');
  expect(accessSummary({ ...key, company_ids: ['co_1'], permissions: ['cash:write', 'keys:write'] })).toBe(
    '1 company, 2 permissions',
  );
  expect(accessSummary({ ...key, ip_allowlist: ['203.0.113.7', '::1'] })).toBe('2 IP addresses');
});

test("the form of a provider's key sends accounts and sources, one per line, and its row counts them", () => {
  const data = form({
    name: 'Acme',
    scope: 'ingest',
    connection_ids: ' main account \n\nconn_1',
    sources: 'acme, Inc.',
  });
  const lists = { connection_ids: ['main account', 'conn_1'], sources: ['acme, Inc.'] };
  expect(keyInput(data)).toEqual({ name: 'Acme', scope: 'ingest', ...lists });
  expect(accessSummary({ ...key, scope: 'ingest', ...lists })).toBe('2 accounts, 1 source');
  expect(accessSummary({ ...key, scope: 'ingest' })).toBe('All companies');
  expect(offeredPermissions('ingest').map(([name]) => name)).toEqual([
    'cash:write',
    'transactions:write',
    'financials:write',
  ]);
});

test("the commands of a provider's key use its company, connection and source, quoted for a shell, as dry runs", () => {
  const made = { ...key, company_ids: ['co_1'], connection_ids: ["Bob's"], sources: ['acme'] };
  const commands = pushCommands(made, 'https://f.example', 'co_9');
  expect(commands.map(({ text }) => text.split('\n')[0])).toEqual([
    'curl "https://f.example/api/v1/companies/co_1/cash/balances?dry_run=true" \\',
    'curl "https://f.example/api/v1/companies/co_1/bank/transactions?dry_run=true" \\',
    'curl "https://f.example/api/v1/companies/co_1/financials/snapshots?dry_run=true" \\',
  ]);
  expect(commands[0]?.text).toContain(`"source":"acme","connection_id":"Bob'\\''s"}'`);
  expect(pushCommands({ ...key, permissions: ['cash:write'] }, '', 'co_9').map(({ label }) => label)).toEqual([
    'Post a balance',
  ]);
});
