// Risk: a database that is away makes the log grow without end, or hides that entries are missing.
import { expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import type { Core } from '../../kernel/context.ts';
import { createRequestLog, type RequestEntry } from './request-log.ts';

const fixture = useFixture();

const entry = (): RequestEntry => ({
  id: fixture.core.newId('req'),
  account_id: fixture.context.accountId,
  created_at: new Date().toISOString(),
  method: 'GET',
  path: '/api/v1/me',
  operation: 'me.get',
  status: 200,
  code: null,
  duration_ms: 1.2,
  key_id: 'key_a',
  ip: null,
  user_agent: null,
  idempotency_key: null,
  idempotency_replayed: false,
});

const count = async (): Promise<number> => {
  const [row] = await fixture.core.database.query<{ count: number }>('SELECT count(*)::int FROM request_log');
  return row?.count ?? 0;
};

test('what cannot be written is dropped and counted, and the log goes on', async () => {
  let isAway = true;
  const query: Core['database']['query'] = (sql, values) =>
    isAway ? Promise.reject(new Error('Connection terminated')) : fixture.core.database.query(sql, values);
  const log = createRequestLog({ database: { ...fixture.core.database, query } });
  for (let n = 0; n < 10_007; n++) log.note(entry());
  await expect(log.flush()).rejects.toThrow('10007 requests are missing from the request log.');
  isAway = false;
  await log.flush();
  expect(await count()).toBe(0);
  for (let n = 0; n < 1_200; n++) log.note(entry());
  await log.flush();
  expect(await count()).toBe(1_200);
});
