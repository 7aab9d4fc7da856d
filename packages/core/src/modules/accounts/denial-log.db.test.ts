// Risk: nobody can see that a stolen key is being tried, or trying it fills the database.
import { createTestClock, type TestClock } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type CoreFixture, openFixture } from '../../../test/core-fixture.ts';
import { type Core, createDenialLog, type Denial, listActivity } from '../../index.ts';

let fixture: CoreFixture;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock(new Date());
  fixture = await openFixture(inject('pgUrl'), clock);
});
afterAll(() => fixture.close());

function denialOf(keyId: string, code: Denial['code'], operation = 'me.get'): Denial {
  const { accountId, scope, access } = fixture.context;
  const actor = { type: 'api_key' as const, id: keyId, name: 'Lost' };
  const request = { id: `req_${operation}`, ip: '198.51.100.7' };
  return { holder: { keyId, accountId, scope, access, actor }, code, operation, request };
}

const rowsOf = async (resource_id: string) =>
  (await listActivity(fixture.context, { limit: 50, order: 'asc', action: 'access.denied', resource_id })).data;

test('S28: a flood of refusals of one key leaves a row for each reason, with the first request and their number', async () => {
  const log = createDenialLog(fixture.core);
  const at = clock.now().toISOString();
  for (let i = 0; i < 1_000; i++)
    log.note(denialOf('key_flood', 'revoked_api_key', i === 0 ? 'cash.onHand' : 'me.get'));
  log.note(denialOf('key_flood', 'ip_not_allowed'));
  log.note(denialOf('key_other', 'revoked_api_key'));
  clock.advance(900);
  await Promise.all([log.flush(), log.flush()]);
  const rows = await rowsOf('key_flood');
  expect(rows.map(({ after }) => after)).toEqual([
    { code: 'revoked_api_key', operation: 'cash.onHand', count: 1_000 },
    { code: 'ip_not_allowed', operation: 'me.get', count: 1 },
  ]);
  expect(rows[0]).toMatchObject({
    actor: { type: 'api_key', id: 'key_flood', name: 'Lost' },
    created_at: at,
    ip: '198.51.100.7',
    request_id: 'req_cash.onHand',
    company_id: null,
    events: [],
  });
  expect(await rowsOf('key_other')).toHaveLength(1);
});

test('noting makes no query, and many keys at once stay within bounds', async () => {
  let queries = 0;
  const query: Core['database']['query'] = (sql, values) => {
    queries++;
    return fixture.core.database.query(sql, values);
  };
  const log = createDenialLog({ ...fixture.core, database: { ...fixture.core.database, query } });
  await log.flush();
  for (let i = 0; i < 5_000; i++) log.note(denialOf(`key_${i}`, 'expired_api_key'));
  expect(queries).toBe(0);
  await log.flush();
  expect(queries).toBeLessThanOrEqual(1_000);
  await log.flush();
  expect(queries).toBeLessThanOrEqual(1_000);
});
