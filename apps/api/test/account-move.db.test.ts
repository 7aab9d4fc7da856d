// Risk: during a move a change is lost or a read fails; afterwards keys work in two cells, or count as guesses.
import { operations } from '@finhook/contracts';
import { announceProcess, type CopiedRows, moveAccount, openCore } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { beforeEach, expect, inject, test, vi } from 'vitest';
import type { SendOptions } from './api-client.ts';
import { type ApiFixture, SECRETS_KEY, type Tenant, useApi } from './api-fixture.ts';
import { seedTenant } from './seed-tenant.ts';
import { openBrowser, own, signIn } from './sign-in.ts';

const base = useApi();
let fixture: ApiFixture;
let other: Tenant;
beforeEach(async () => {
  fixture = await base.openBeside({ rateLimits: { failedAuth: 2, requests: 0, windowSeconds: 600 } });
  other = await fixture.openTenant('Other');
});

const { upsert } = operations.cash.balances;
const post = ({ client, companyId }: Tenant, protocol: 'rest' | 'trpc' = 'rest') =>
  client[protocol](upsert, { company_id: companyId, ...upsert.example });

/** What `account:move` writes; an api has read it once a key of the account gets this status. */
async function setMove(state: string, status: number): Promise<void> {
  await fixture.elsewhere.database.query(
    `INSERT INTO account_move (account_id, state, cell) VALUES ($1, $2, 'eu')
     ON CONFLICT (account_id) DO UPDATE SET state = excluded.state`,
    [fixture.accountId, state],
  );
  await vi.waitFor(async () => expect((await post(fixture)).status).toBe(status), { timeout: 5_000 });
}

test.each(['frozen', 'arriving'])(
  'an account that is %s gets 503 with Retry-After for changes over both protocols, and can still read',
  async (state) => {
    await setMove(state, 503);
    for (const protocol of ['rest', 'trpc'] as const) {
      const { status, problem, headers } = await post(fixture, protocol);
      expect([status, problem.code, problem.retryable, headers['retry-after']]).toEqual([
        503,
        'account_moving',
        true,
        '2',
      ]);
      const read = await fixture.client[protocol](operations.events.list, {});
      expect(read.status).toBe(200);
      expect((await post(other, protocol)).status).toBe(protocol === 'rest' ? 201 : 200);
    }
  },
);

test('an account that is draining can be changed, except its endpoints', async () => {
  const url = 'https://example.com/hook';
  const create = () => fixture.client.rest(operations.webhookEndpoints.create, { url });
  await fixture.elsewhere.database.query(
    "INSERT INTO account_move (account_id, state, cell) VALUES ($1, 'draining', 'eu')",
    [fixture.accountId],
  );
  await vi.waitFor(async () => expect((await create()).problem).toMatchObject({ code: 'account_moving' }), 5_000);
  expect((await post(fixture)).status).toBe(201);
});

test('the next request sees each step of a move', async () => {
  const { cookie } = await openBrowser(fixture.client, fixture.apiKey);
  const states = ['frozen', 'moved', 'arriving', 'moved'];
  await setMove('frozen', 503);
  for (const state of states) {
    await fixture.elsewhere.database.query('UPDATE account_move SET state = $1', [state]);
    const bySession = await fixture.client.rest(operations.me.get, {}, { key: null, headers: { ...own, cookie } });
    const expected = state === 'moved' ? [421, 421] : [503, 200];
    expect([(await post(fixture)).status, bySession.status]).toEqual(expected);
  }
  await fixture.elsewhere.database.query('DELETE FROM account_move');
  // 200 if the balance was stored before the api had noticed the first step.
  expect([200, 201]).toContain((await post(fixture)).status);
});

test('a change that began before the freeze is stored whole or rejected with 503, and its Idempotency-Key can be used again', async () => {
  const { client, companyId: company_id } = fixture;
  const freeze = (limit: string) =>
    fixture.elsewhere.database.query(`UPDATE account_sequence SET frozen_at = ${limit} WHERE account_id = $1`, [
      fixture.accountId,
    ]);
  await freeze('position + audit_position');
  const send = () =>
    client.rest(operations.companies.create, { name: 'Late Inc' }, { headers: { 'idempotency-key': 'late' } });
  const { status, problem, headers } = await send();
  expect([status, problem.code, headers['retry-after']]).toEqual([503, 'account_moving', '2']);
  expect((await client.rest(upsert, { company_id, ...upsert.example })).problem.code).toBe('account_moving');
  const told = fixture.logLines.filter((line) => line.includes('account_moving'));
  expect(told.filter((line) => !line.includes('"level":"info"'))).toEqual([]);
  await freeze('NULL');
  expect((await send()).status).toBe(201);
});

test('the keys and sessions of an account that has moved get 421 with the cell, which does not count as a failed authentication', async () => {
  const { cookie } = await openBrowser(fixture.client, fixture.apiKey);
  const bySession: SendOptions = { key: null, headers: { ...own, cookie } };
  await setMove('moved', 421);
  for (let i = 0; i < 3; i++) {
    const responses = [
      await post(fixture),
      await post(fixture, 'trpc'),
      await fixture.client.rest(operations.events.list, {}),
      await fixture.client.rest(operations.me.get, {}, bySession),
      await signIn(fixture.client, fixture.apiKey),
      await fixture.client.send('GET', '/dashboard/stream', bySession),
    ];
    for (const { status, problem, headers } of responses) {
      expect([status, problem.code, problem['cell'], headers['finhook-cell']]).toEqual([421, 'wrong_cell', 'eu', 'eu']);
    }
  }
  expect((await post(other)).status).toBe(201);
});

test('an account with a record of each kind moves, with the same rows in each table', async () => {
  await seedTenant(fixture);
  const target = await createMigratedDatabase(inject('pgUrl'));
  const there = await openCore({ databaseUrl: target.url, secretsKey: SECRETS_KEY, allowInsecureWebhooks: true });
  const connections = { busy: 0, idle: 0, waiting: 0 };
  const live = { id: 'proc_1', role: 'api', host: 'b1', pid: 7, version: '1', uptimeMs: 1, inFlight: 0 } as const;
  await announceProcess({ ...there, cell: 'eu' }, { ...live, connections });
  await announceProcess(fixture.elsewhere, { ...live, connections });
  let copied: CopiedRows | undefined;
  await moveAccount({
    accountId: fixture.accountId,
    fromUrl: fixture.databaseUrl,
    toUrl: target.url,
    toCell: 'eu',
    onStep: (_, rows) => {
      copied ??= rows;
    },
  });
  expect(Object.keys(copied ?? {}).length).toBeGreaterThan(25);
  const idsAt = async ({ database }: typeof there) =>
    (
      await database.query<{ id: string }>('SELECT id FROM event WHERE account_id = $1 ORDER BY position', [
        fixture.accountId,
      ])
    ).map(({ id }) => id);
  expect(await idsAt(there)).toEqual(await idsAt(fixture.elsewhere));
  await there.database.close();
  await target.drop();
});
