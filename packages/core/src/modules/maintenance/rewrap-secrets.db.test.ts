// Risk: a leaked master key can't be removed, because something is still encrypted with it.
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { createSecrets } from '../../access/secrets.ts';
import type { Core } from '../../verbs/context.ts';
import { tokenAad } from '../bank/connections/connection.ts';
import { createConnection } from '../bank/connections/create.ts';
import { setConnectionSecret } from '../bank/connections/set-secret.ts';
import { loadTargets } from '../deliveries/load-targets.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { rotateSecret } from '../webhooks/rotate-secret.ts';
import { rewrapSecrets } from './rewrap-secrets.ts';

const masterKey = (): string => randomBytes(32).toString('base64');
const [old, fresh] = [masterKey(), masterKey()];
const token = 'canary-token-8d1f6b0a';
const headers = { authorization: 'Bearer 0123456789wxyz' };

const fixture = useFixture();
let endpointId: string;
let connectionId: string;
const under = (keys: string): Core => ({ ...fixture.core, secrets: createSecrets(keys) });
beforeAll(async () => {
  const context = { ...fixture.context, secrets: createSecrets(old) };
  const endpoint = await createEndpoint(context, {
    url: 'http://127.0.0.1:4010/hook',
    headers,
    signature_versions: ['v1', 'v1a'],
  });
  endpointId = endpoint.id;
  await rotateSecret(context, { endpoint_id: endpointId, overlap_seconds: 86_400 });
  const connection = await createConnection(context, { company_id: fixture.companyId, provider: 'sandbox' });
  connectionId = connection.id;
  await setConnectionSecret(context, { connection_id: connectionId, secret: token });
});

const opened = async (core: Core) => {
  const [target] = await loadTargets(core, [{ id: endpointId, accountId: fixture.context.accountId }]);
  const [row] = await core.database.query<{ secret: string }>('SELECT secret FROM bank_connection WHERE id = $1', [
    connectionId,
  ]);
  return {
    secret: target?.secret(),
    previous: target?.previousSecret?.(),
    privateKey: target?.privateKey?.(),
    headers: target?.headers?.(),
    token: core.secrets.decrypt(row?.secret ?? '', tokenAad(connectionId)),
  };
};

/** Columns of all tables that contain a ciphertext of this master key. */
async function columnsUnder(key: string): Promise<string[]> {
  const columns = await fixture.core.database.query<{ table: string; name: string }>(
    `SELECT c.table_name AS table, c.column_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.data_type = 'text' AND t.table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { table, name } of columns) {
    const sql = `SELECT FROM "${table}" WHERE starts_with("${name}", $1) LIMIT 1`;
    const rows = await fixture.core.database.query(sql, [createSecrets(key).currentPrefix]);
    if (rows.length > 0) found.push(`${table}.${name}`);
  }
  return found.toSorted();
}

test('without the older master key nothing is changed, and what it encrypted is counted', async () => {
  const before = await opened(under(old));
  expect(await rewrapSecrets(under(fresh))).toEqual({ rewrapped: 0, unreadable: 5 });
  expect(await opened(under(old))).toEqual(before);
});

test('rotation re-wraps every secret that stays, after which the older master key opens none of them', async () => {
  const kept = await opened(under(old));
  expect(kept).toMatchObject({ token, headers });
  expect(await columnsUnder(old)).toHaveLength(5);
  expect(await rewrapSecrets(under(`${fresh},${old}`))).toEqual({ rewrapped: 5, unreadable: 0 });
  expect(await opened(under(fresh))).toEqual(kept);
  expect(await columnsUnder(old)).toEqual([]);
  await expect(opened(under(old))).rejects.toThrow('not configured');
  expect(await rewrapSecrets(under(fresh))).toEqual({ rewrapped: 0, unreadable: 0 });
});
