// Risk: the database, a backup or a log of it contains a key or a webhook secret.
import { expect, test } from 'vitest';
import { createApiKey } from '../src/modules/accounts/api-keys/create.ts';
import { revokeApiKey } from '../src/modules/accounts/api-keys/revoke.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { testEndpoint } from '../src/modules/events/test-endpoint.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import { deleteEndpoint } from '../src/modules/webhooks/delete.ts';
import { updateEndpoint } from '../src/modules/webhooks/update.ts';
import { claimAll } from './attempt-of.ts';
import { useFixture } from './core-fixture.ts';
import { openRawClient } from './raw-client.ts';
import { runIdempotent } from './run-idempotent.ts';

const fixture = useFixture();

/** Every value of every table as text; bytes also in hex. */
async function dump(): Promise<string> {
  const client = await openRawClient(fixture.database.url);
  const { rows: columns } = await client.query<{ table: string; column: string; type: string }>(
    `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { table, column, type } of columns) {
    const name = client.escapeIdentifier(column);
    const { rows } = await client.query<{ value: string | Buffer | null }>(
      `SELECT ${type === 'bytea' ? name : `${name}::text`} AS value FROM ${client.escapeIdentifier(table)} WHERE ${name} IS NOT NULL`,
    );
    for (const { value } of rows)
      texts.push(Buffer.isBuffer(value) ? `${value.toString('latin1')}\n${value.toString('hex')}` : String(value));
  }
  await client.end();
  return texts.join('\n');
}

test('no issued key, webhook secret or part of one is anywhere in the database', async () => {
  const { context } = fixture;
  const secrets = [fixture.apiKey];
  const note = (value: unknown, field: string) => secrets.push(String(Reflect.get(Object(value), field)));
  const newKey = await createApiKey(context, { name: 'a', scope: 'human' });
  note(newKey, 'key');
  await revokeApiKey(context, { key_id: newKey.id, reason: 'test' });
  const keyed = await runIdempotent(context, { key: 'k1', body: '', secret: true }, (c) =>
    createApiKey(c, { name: 'b', scope: 'read' }),
  );
  note(keyed.outcome.ok ? keyed.outcome.output : undefined, 'key');
  const endpoint = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
  note(endpoint, 'secret');
  const second = await runIdempotent(context, { key: 'k2', body: '', secret: true }, (c) =>
    createEndpoint(c, { url: 'http://127.0.0.1:4011/' }),
  );
  note(second.outcome.ok ? second.outcome.output : undefined, 'secret');
  await updateEndpoint(context, { endpoint_id: endpoint.id, description: 'x' });
  await testEndpoint(context, { endpoint_id: endpoint.id });
  await upsertCashBalance(context, {
    company_id: fixture.companyId,
    as_of: '2026-01-01',
    balance_cents: 1,
    currency: 'USD',
  });
  await claimAll(fixture.core, endpoint.id);

  const before = await dump();
  await deleteEndpoint(context, { endpoint_id: endpoint.id });
  const text = before + (await dump());
  // The search finds text, JSON and bytes that are stored.
  for (const present of [context.accountId, newKey.prefix, newKey.last4, '"type":"bank.balance.updated"'])
    expect(text).toContain(present);
  expect(secrets).toHaveLength(5);
  for (const secret of secrets) {
    expect(secret).toMatch(/^(sk_test_|whsec_).{30,}/);
    const body = secret.slice(secret.lastIndexOf('_') + 1);
    const forms = [secret, body, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')];
    if (secret.startsWith('whsec_')) forms.push(Buffer.from(body, 'base64').toString('hex'));
    for (const form of forms) expect(text.includes(form), form.slice(0, 12)).toBe(false);
  }
});
