// Risk: creating a partition waits for a long report and blocks all other statements meanwhile.
import { afterEach, expect, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';
import { useRawClient } from '../../test/raw-client.ts';
import { idTime } from '../ids/ids.ts';
import { createApiKey } from '../modules/accounts/api-keys/create.ts';
import { updateCompany } from '../modules/companies/update.ts';
import { ensurePartitions } from './partitions.ts';

const fixture = useFixture();
const reader = useRawClient(fixture);
afterEach(() => reader.query('ROLLBACK'));

const now = new Date();
const monthAhead = (offset: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 7).replace('-', '_');
const make = (ahead: number) => ensurePartitions(fixture.core.database.owner, now, ahead);
// Each test uses months that earlier tests have not created.
const beginReport = async () => {
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM event');
};

test('each month with rows in the default partition gets its own partition', async () => {
  const { owner } = fixture.core.database;
  await createApiKey(fixture.context, { name: 'k', scope: 'read' });
  for (const offset of [3, 4]) {
    const inMonth = idTime(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 15));
    await owner.query(
      `INSERT INTO audit_log SELECT (jsonb_populate_record(a, jsonb_build_object('id', $1::text))).* FROM audit_log a LIMIT 1`,
      [`aud_${inMonth}`],
    );
  }
  const held = async (table: string) => (await owner.query(`SELECT FROM ${table}`)).length;
  expect(await make(3)).toEqual([]);
  expect([await held(`audit_log_${monthAhead(3)}`), await held('audit_log_default')]).toEqual([1, 1]);
  expect(await make(4)).toEqual([]);
  expect([await held(`audit_log_${monthAhead(4)}`), await held('audit_log_default')]).toEqual([1, 0]);
});

test('behind a long reader a missing month is postponed, and no change waits', async () => {
  await beginReport();
  let over = false;
  const made = make(6).finally(() => {
    over = true;
  });
  for (let i = 0; !over; i++) {
    await updateCompany(fixture.context, { company_id: fixture.companyId, name: `Acme ${i}` });
  }
  expect(await made).toEqual([`event_${monthAhead(5)}`, `event_${monthAhead(6)}`]);
  await reader.query('COMMIT');
  expect(await make(6)).toEqual([]);
});

test('without a missing month nothing is locked', async () => {
  await reader.query('BEGIN');
  await reader.query('LOCK TABLE event, delivery, attempt, audit_log IN ACCESS EXCLUSIVE MODE');
  expect(await make(2)).toEqual([]);
});

test('a process that starts beside a long reader does not wait for it, and starts without the month', async () => {
  const month = `event_${monthAhead(2)}`;
  await fixture.core.database.owner.query(`DROP TABLE ${month}`);
  await beginReport();
  await fixture.core.database.migrate();
  expect(await make(2)).toEqual([month]);
  await reader.query('ROLLBACK');
  expect(await make(2)).toEqual([]);
});

test('rows of a month that are in the default partition are not moved behind a long reader', async () => {
  const { owner } = fixture.core.database;
  const month = `audit_log_${monthAhead(0)}`;
  await owner.query(`ALTER TABLE audit_log DETACH PARTITION ${month}`);
  await createApiKey(fixture.context, { name: 'k', scope: 'read' });
  await owner.query(`DROP TABLE ${month}`);
  // Locks the parent and no partition.
  await reader.query('BEGIN; LOCK TABLE ONLY audit_log IN ACCESS SHARE MODE');
  expect(await make(2)).toEqual([month]);
  await reader.query('COMMIT');
  expect(await make(2)).toEqual([]);
});

test('processes that create the same months concurrently all succeed', async () => {
  for (let ahead = 7; ahead < 17; ahead++) {
    await Promise.all([make(ahead), make(ahead), make(ahead)]);
    expect(await make(ahead)).toEqual([]);
  }
});

test('a month that cannot be created is an error without a default partition for its rows', async () => {
  await fixture.core.database.owner.query('DROP TABLE event_default');
  await reader.query('BEGIN; LOCK TABLE ONLY event IN SHARE UPDATE EXCLUSIVE MODE');
  await expect(make(17)).rejects.toThrow('lock timeout');
});
