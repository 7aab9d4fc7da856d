// Risk: the log grows without limit while the database is down or a client is rate limited, or loses entries silently.
import { expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import type { Core } from '../../verbs/context.ts';
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

test('requests that cannot be written are dropped and counted, and the log continues', async () => {
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

test('of the requests of a key that exceeded a limit, ten are kept until the next flush', async () => {
  const { core } = fixture;
  const log = createRequestLog(core);
  const key = core.newId('key');
  const note = (status: number, key_id = key) => log.note({ ...entry(), key_id, status });
  const kept = async () => {
    await log.flush();
    const sql = 'SELECT status, count(*)::int FROM request_log WHERE key_id = $1 GROUP BY status ORDER BY status';
    return core.database.query(sql, [key]);
  };
  for (let n = 0; n < 50; n++) note(429);
  for (let n = 0; n < 20; n++) note(429, core.newId('key'));
  for (let n = 0; n < 20; n++) note(200);
  expect(await kept()).toEqual([
    { status: 200, count: 20 },
    { status: 429, count: 10 },
  ]);
  for (let n = 0; n < 50; n++) note(429);
  expect(await kept()).toContainEqual({ status: 429, count: 20 });
});
