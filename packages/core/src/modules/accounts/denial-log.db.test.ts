// Risk: nobody can see that a stolen key is being tried, or trying it fills the database.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import type { Core } from '../../verbs/context.ts';
import { listActivity } from '../activity/list.ts';
import { openAccount } from './account.ts';
import { createDenialLog, type Denial } from './denial-log.ts';

const clock = createTestClock(new Date());
const fixture = useFixture(clock);

function denialOf(keyId: string, code: Denial['code'], operation = 'me.get'): Denial {
  const { accountId, scope, access } = fixture.context;
  const actor = { type: 'api_key' as const, id: keyId, name: 'Lost' };
  const request = { id: `req_${operation}`, ip: '198.51.100.7' };
  return {
    principal: { keyId, originId: keyId, personId: keyId, accountId, scope, access, actor },
    code,
    operation,
    request,
  };
}

const rowsOf = async (resource_id: string) =>
  (await listActivity(fixture.context, { limit: 50, order: 'asc', action: 'access.denied', resource_id })).data;

/** A log whose statements fail until the database comes back. */
function openWithoutDatabase() {
  let isAway = true;
  const query: Core['database']['query'] = (sql, values) =>
    isAway ? Promise.reject(new Error('Connection terminated')) : fixture.core.database.query(sql, values);
  const log = createDenialLog({ ...fixture.core, database: { ...fixture.core.database, query } });
  const comeBack = () => {
    isAway = false;
  };
  return { log, comeBack };
}

test('many rejections of one key leave one row per reason, with the first request and their number', async () => {
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

test('noting runs no query, and many keys at once stay within bounds', async () => {
  let queries = 0;
  const query: Core['database']['query'] = (sql, values) => {
    queries++;
    return fixture.core.database.query(sql, values);
  };
  const log = createDenialLog({ ...fixture.core, database: { ...fixture.core.database, query } });
  await log.flush();
  for (let i = 0; i < 5_000; i++) log.note(denialOf(`key_many_${i}`, 'expired_api_key'));
  expect(queries).toBe(0);
  await log.flush();
  expect(queries).toBe(1);
  await log.flush();
  expect(queries).toBe(1);
  const stored = 'SELECT count(*)::int AS n FROM audit_log WHERE resource_id LIKE $1';
  expect(await fixture.core.database.query(stored, ['key\\_many\\_%'])).toEqual([{ n: 1_000 }]);
});

test('denials that a failed statement did not store are stored by the next one, with those added since', async () => {
  const { log, comeBack } = openWithoutDatabase();
  const at = clock.now().toISOString();
  log.note(denialOf('key_lost_1', 'revoked_api_key', 'cash.onHand'));
  log.note(denialOf('key_lost_2', 'revoked_api_key'));
  const failed = log.flush();
  clock.advance(1_000);
  log.note(denialOf('key_lost_1', 'revoked_api_key'));
  log.note(denialOf('key_lost_3', 'revoked_api_key'));
  await expect(failed).rejects.toThrow('Connection terminated');
  comeBack();
  await log.flush();
  expect(await rowsOf('key_lost_1')).toMatchObject([
    { created_at: at, request_id: 'req_cash.onHand', after: { operation: 'cash.onHand', count: 2 } },
  ]);
  expect(await rowsOf('key_lost_2')).toMatchObject([{ created_at: at, after: { count: 1 } }]);
  expect(await rowsOf('key_lost_3')).toMatchObject([{ after: { count: 1 } }]);
  await log.flush();
  expect(await rowsOf('key_lost_2')).toHaveLength(1);
});

test('a row that the database rejects keeps no other row out of the log', async () => {
  const log = createDenialLog(fixture.core);
  log.note(denialOf('key_before', 'revoked_api_key'));
  log.note(denialOf('key_\0', 'revoked_api_key'));
  log.note(denialOf('key_behind', 'revoked_api_key'));
  await expect(log.flush()).rejects.toThrow('unsupported Unicode');
  await log.flush();
  expect([await rowsOf('key_before'), await rowsOf('key_behind')]).toMatchObject([[{}], [{}]]);
});

test('if the database becomes unavailable while rows are stored one by one, the remaining ones are kept', async () => {
  let left = 2;
  const query: Core['database']['query'] = (sql, values) =>
    left-- > 0 ? fixture.core.database.query(sql, values) : Promise.reject(new Error('Connection terminated'));
  const log = createDenialLog({ ...fixture.core, database: { ...fixture.core.database, query } });
  log.note(denialOf('key_stored', 'revoked_api_key'));
  log.note(denialOf('key_\0', 'expired_api_key'));
  log.note(denialOf('key_left', 'revoked_api_key'));
  // The batch, and the first row alone; then the database is unavailable.
  await expect(log.flush()).rejects.toThrow('Connection terminated');
  expect([await rowsOf('key_stored'), await rowsOf('key_left')]).toMatchObject([[{}], []]);
  left = Number.POSITIVE_INFINITY;
  await expect(log.flush()).rejects.toThrow('unsupported Unicode');
  expect(await rowsOf('key_left')).toHaveLength(1);
  expect(await rowsOf('key_stored')).toHaveLength(1);
});

test('however long statements fail, the number of pending keys stays within bounds', async () => {
  const { log, comeBack } = openWithoutDatabase();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 600; i++) log.note(denialOf(`key_away_${round}_${i}`, 'expired_api_key'));
    const failed = log.flush();
    for (let i = 0; i < 600; i++) log.note(denialOf(`key_meanwhile_${round}_${i}`, 'expired_api_key'));
    await expect(failed).rejects.toThrow();
  }
  comeBack();
  await log.flush();
  const stored = 'SELECT count(*)::int AS n FROM audit_log WHERE resource_id LIKE $1 OR resource_id LIKE $2';
  const patterns = ['key\\_away\\_%', 'key\\_meanwhile\\_%'];
  expect(await fixture.core.database.query(stored, patterns)).toEqual([{ n: 1_000 }]);
});

test('rejections of an account that is moving are dropped, and those of others are stored', async () => {
  const { core } = fixture;
  const { accountId } = await openAccount(core, { name: 'Moving', mode: 'test', companyName: 'Moving Inc' });
  const sql =
    'UPDATE account_sequence SET frozen_at = position + audit_position WHERE account_id = $1 RETURNING account_id';
  expect(await core.database.query(sql, [accountId])).toHaveLength(1);
  const log = createDenialLog(core);
  const { principal, ...denial } = denialOf('key_moving', 'revoked_api_key');
  log.note({ ...denial, principal: { ...principal, accountId } });
  log.note(denialOf('key_beside', 'revoked_api_key'));
  await log.flush();
  const stored = "SELECT resource_id FROM audit_log WHERE resource_id IN ('key_moving', 'key_beside')";
  expect(await core.database.query(stored)).toEqual([{ resource_id: 'key_beside' }]);
});
