// Risk: a moved account loses or repeats something, is open in two cells, or its freeze lets a change or a delivery through.
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { claimEach, findDueIds } from '../../../../test/attempt-of.ts';
import { type CoreFixture, openFixture } from '../../../../test/core-fixture.ts';
import { processReport } from '../../../../test/process-report.ts';
import { openRawClient } from '../../../../test/raw-client.ts';
import { moveBetween, moveStates, stopAt, terminate, useTwoCells } from '../../../../test/two-cells.ts';
import { createSecrets } from '../../../access/secrets.ts';
import { isAccountFrozen } from '../../../db/database-error.ts';
import { serviceTables } from '../../../db/row-security.ts';
import type { Context, Core } from '../../../verbs/context.ts';
import { beginIdempotent } from '../../../verbs/idempotency.ts';
import { sealAuditLog } from '../../audit/seal-audit-log.ts';
import { verifyAuditLog } from '../../audit/verify-audit-log.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { listEvents } from '../../events/read.ts';
import { announceProcess } from '../../processes/service-processes.ts';
import { advanceReplay } from '../../replays/advance-replay.ts';
import { replayEndpoint } from '../../replays/begin.ts';
import { createEndpoint } from '../../webhooks/create.ts';
import { getEndpoint } from '../../webhooks/read.ts';
import { findKnownKey } from '../authenticate.ts';
import { readAccountTables } from './account-tables.ts';
import { cancelMove, deleteMovedAccount } from './cancel-move.ts';
import { type MoveStep, moveAccount } from './move-account.ts';
import { readUnfinishedMoves } from './read-moves.ts';
import { readMoveStatusOfSource } from './with-cells.ts';

let source: CoreFixture;
let target: CoreFixture;
let context: Context;
let endpoint: string;

const cells = useTwoCells();
beforeEach(async () => {
  ({ source, target, context, endpointId: endpoint } = await cells.begin());
});

const inTarget = (): Context => ({
  ...context,
  ...target.core,
  database: target.core.database.forAccount(context.accountId),
});

async function post(at: Context, n: number): Promise<string> {
  const as_of = new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10);
  const balance = { company_id: source.companyId, as_of, balance_cents: n, currency: 'USD' };
  return (await upsertCashBalance(at, balance)).event_id;
}

function move(more: Partial<Parameters<typeof moveAccount>[0]> = {}) {
  return moveAccount({ ...moveBetween({ source, target, context }), ...more });
}

function cancel(more: Partial<Parameters<typeof cancelMove>[0]> = {}) {
  return cancelMove({ ...moveBetween({ source, target, context }), ...more });
}

const statesOf = () => moveStates({ source, target, context });

const eventIds = async (at: Context, after: string | null = null) =>
  (await listEvents(at, { limit: 100, order: 'asc', ...(after === null ? {} : { after }) })).data.map(({ id }) => id);

const verify = async (core: Core) => {
  await sealAuditLog(core);
  return verifyAuditLog(core);
};

test('every table either moves with its account or belongs to the cell', async () => {
  const raw = await openRawClient(source.database.url);
  const { rows } = await raw.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  await raw.end();
  const moved = (await readAccountTables(source.core.database)).map(({ name }) => name);
  const staying = [...serviceTables, 'device_login_decision'];
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...moved, ...staying].toSorted());
});

test('an account moves with its feed, its due deliveries, its keys and its audit log, and the old cell names the new one', async () => {
  await post(context, 1);
  const { next_cursor: cursor } = await listEvents(context, { limit: 100, order: 'asc' });
  const before = await eventIds(context);
  await verify(source.core);
  const steps: MoveStep[] = [];
  await move({ onStep: (step) => steps.push(step) });
  expect(steps).toEqual(['copying', 'draining', 'frozen', 'copied', 'moved', 'arrived']);
  expect(await statesOf()).toEqual(['moved', undefined]);
  await move({ onStep: (step) => steps.push(step) });
  expect(steps.slice(6)).toEqual(['arrived']);

  const there = inTarget();
  expect(await eventIds(there)).toEqual(before);
  const next = await post(there, 2);
  expect(await eventIds(there, cursor)).toEqual([next]);
  expect((await getEndpoint(there, { endpoint_id: endpoint })).status).toBe('active');
  const claimed = await claimEach(target.core, [endpoint], 100);
  expect(claimed.map(({ eventId }) => eventId)).toContain(next);
  expect(await findDueIds(source.core, 0)).toEqual([]);
  expect(await claimEach(source.core, [endpoint], 100)).toEqual([]);
  expect((await findKnownKey(target.core, source.apiKey)).principal.moving).toBeUndefined();
  await expect(post(context, 3)).rejects.toSatisfy(isAccountFrozen);
  for (const core of [source.core, target.core]) {
    expect(await verify(core)).toMatchObject({ unsealed: 0, mismatch: undefined });
  }
});

test('the remaining rows of a moved account are deleted except keys and audit log, and it can move back', async () => {
  await post(context, 1);
  await verify(source.core);
  await move();
  const { accountId } = context;
  const left = (name: string) =>
    source.core.database.query(`SELECT FROM ${name} WHERE account_id = $1`, [accountId]).then(({ length }) => length);
  expect(await deleteMovedAccount({ accountId, fromUrl: source.database.url })).toBeGreaterThan(5);
  expect(await Promise.all(['event', 'due', 'cash_balance', 'webhook_endpoint'].map(left))).toEqual([0, 0, 0, 0]);
  expect(await left('api_key')).toBe(1);
  expect(await verify(source.core)).toMatchObject({ mismatch: undefined });

  const there = inTarget();
  const event = await post(there, 2);
  await verify(target.core);
  await source.core.database.query("UPDATE service_process SET cell = 'us'");
  await move({ fromUrl: target.database.url, toUrl: source.database.url, toCell: 'us' });
  expect(await statesOf()).toEqual([undefined, 'moved']);
  expect(await eventIds(context)).toContain(event);
  await post(context, 3);
  for (const core of [source.core, target.core]) {
    expect(await verify(core)).toMatchObject({ unsealed: 0, mismatch: undefined });
  }
});

test('a move waits for a delivery in flight: changes go on, claims stop at once, and a move that waits too long or is cancelled leaves no trace', async () => {
  await post(context, 1);
  const [claim] = await claimEach(source.core, [endpoint], 1);
  expect(claim).toBeDefined();
  await expect(move({ onStep: stopAt('draining') })).rejects.toThrow('Stopped');
  const draining = move();
  draining.catch(() => undefined);
  const isPaused = async () => (await getEndpoint(context, { endpoint_id: endpoint })).status;
  await expect.poll(isPaused).toBe('paused');
  expect((await findKnownKey(source.core, source.apiKey)).principal.moving).toBe('draining');
  await post(context, 2);
  expect(await claimEach(source.core, [endpoint], 100)).toEqual([]);
  expect(await findDueIds(source.core, 0)).toEqual([]);
  await terminate(source);
  await expect(draining).rejects.toThrow('The account works here as before');
  await expect(move({ drainMs: 100 })).rejects.toThrow('still in flight after 1 s');
  expect([await statesOf(), await isPaused()]).toEqual([[undefined, undefined], 'active']);

  await expect(move({ onStep: stopAt('draining') })).rejects.toThrow('Stopped');
  await expect(cancel({ toCell: 'us' })).rejects.toThrow('being moved to the cell eu: name that one');
  await cancel();
  expect(await statesOf()).toEqual([undefined, undefined]);
  expect((await claimEach(source.core, [endpoint], 100)).length).toBeGreaterThan(0);
  await post(context, 3);
});

test('an Idempotency-Key whose request the move interrupted can be reused in the new cell, one with a response can’t', async () => {
  const request = (key: string) => ({ key, fingerprint: ['post'], secret: false });
  const answered = await beginIdempotent(context, request('answered'));
  if (!('run' in answered)) throw new Error('The key is in use.');
  await answered.run.complete(context.database, { id: 'co_1' });
  expect(await beginIdempotent(context, request('cut-off'))).toHaveProperty('run');
  await move();
  expect(await beginIdempotent(inTarget(), request('answered'))).toMatchObject({ replay: { output: { id: 'co_1' } } });
  expect(await beginIdempotent(inTarget(), request('cut-off'))).toHaveProperty('run');
});

test('a target that can’t store the copy in time leaves the account open in the old cell, and the next move continues', async () => {
  const holder = await openRawClient(target.database.url);
  await holder.query('BEGIN');
  // Rows can be copied, and the account can't arrive.
  await holder.query('LOCK TABLE account_move IN SHARE MODE');
  await expect(move({ closedMs: 300 })).rejects.toThrow('The account works here as before');
  expect([await statesOf(), (await getEndpoint(context, { endpoint_id: endpoint })).status]).toEqual([
    [undefined, undefined],
    'active',
  ]);
  await post(context, 1);
  await holder.query('ROLLBACK');
  await holder.end();
  const again = () => move().then(() => 'moved', String);
  await expect.poll(again, { timeout: 30_000 }).toBe('moved');
});

test('an operator sees the state of a move, its start, who began it and whether it is running', async () => {
  const status = () => readMoveStatusOfSource({ accountId: context.accountId, fromUrl: source.database.url });
  expect(await status()).toMatchObject({ state: 'none', running_since: null });
  await expect(move({ begunBy: 'ann@b1, pid 7', onStep: stopAt('frozen') })).rejects.toThrow('Stopped');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/);
  const seen = { state: 'frozen', cell: 'eu', begun_by: 'ann@b1, pid 7', begun_at: time, state_since: time };
  expect(await status()).toMatchObject({ ...seen, running_since: null });
  expect(await readUnfinishedMoves(source.core, 5)).toMatchObject([
    { accountId: context.accountId, state: 'frozen', cell: 'eu', begunBy: 'ann@b1, pid 7' },
  ]);
  const other = await openRawClient(source.database.url);
  await other.query("SELECT pg_advisory_lock(hashtextextended('account_move|' || $1, 0))", [context.accountId]);
  expect(await status()).toMatchObject({ ...seen, running_since: time });
  await expect(move()).rejects.toThrow(/Another account:move of this account has been running since \d{4}-/);
  await other.end();
  await expect.poll(async () => (await status()).running_since).toBeNull();
  await move();
  expect([await readUnfinishedMoves(source.core, 5), await readUnfinishedMoves(target.core, 5)]).toEqual([[], []]);
});

test('an endpoint that its owner paused stays paused, and a replay continues in the new cell', async () => {
  const other = (await createEndpoint(context, { url: 'http://127.0.0.1:4010/other' })).id;
  await source.core.database.query("UPDATE webhook_endpoint SET status = 'paused' WHERE id = $1", [other]);
  await createCompany(context, { name: 'Second' });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await replayEndpoint(context, { endpoint_id: endpoint, since, only: 'all' });
  await move();
  expect(await advanceReplay(source.core)).toBeUndefined();
  expect(await advanceReplay(target.core)).toMatchObject({ endpoint_id: endpoint, status: 'running' });
  expect((await getEndpoint(inTarget(), { endpoint_id: other })).status).toBe('paused');
});

test('a target with another version, name or SECRETS_KEY is rejected before anything changes', async () => {
  await target.core.database.owner.query("INSERT INTO mikro_orm_migrations (name) VALUES ('9999-later')");
  await expect(move()).rejects.toThrow('the target cell has the migration 9999-later');
  await target.core.database.owner.query(
    "DELETE FROM mikro_orm_migrations WHERE name IN ('9999-later', '0046-request-log')",
  );
  await expect(move()).rejects.toThrow('the target cell lacks the migration 0046-request-log');
  await target.core.database.owner.query("INSERT INTO mikro_orm_migrations (name) VALUES ('0046-request-log')");
  // A key that the source's processes also had before.
  const secrets = createSecrets(`${Buffer.alloc(32, 8).toString('base64')},${Buffer.alloc(32, 9).toString('base64')}`);
  await announceProcess({ ...source.core, secrets }, { ...processReport, id: 'proc_2' });
  await expect(move()).rejects.toThrow("lacks a key of this cell's SECRETS_KEY");
  await source.core.database.query("DELETE FROM service_process WHERE id = 'proc_2'");
  await expect(move({ toCell: 'us' })).rejects.toThrow('has the CELL eu, not us');
  await announceProcess(target.core, { ...processReport, id: 'proc_2', role: 'worker' });
  await expect(move()).rejects.toThrow('The worker on b1 (pid 7) of the target cell has no CELL. Set it to eu');
  await target.core.database.query('DELETE FROM service_process');
  await expect(move()).rejects.toThrow('No process of the target cell is running');
  await announceProcess({ ...target.core, cell: 'eu' }, processReport);
  await source.core.database.query('DELETE FROM service_process');
  await expect(move()).rejects.toThrow('No process of this cell is running');
  expect(await statesOf()).toEqual([undefined, undefined]);
});

test('an account of the target, an unknown one, and one database are rejected', async () => {
  await expect(move({ accountId: 'acct_none' })).rejects.toThrow('no account acct_none');
  await expect(move({ toUrl: source.database.url })).rejects.toThrow('name the same database');
  const { accountId } = context;
  await target.core.database.query(
    "INSERT INTO account (id, name, mode, created_at, updated_at) VALUES ($1, 'x', 'test', now(), now())",
    [accountId],
  );
  await expect(move()).rejects.toThrow('has an account with this id already');
  await expect(deleteMovedAccount({ accountId, fromUrl: source.database.url })).rejects.toThrow('has not moved away');
});

test('a copy that the target rejects in the middle of a table leaves the account as it was', async () => {
  // More rows follow the rejected one than the sockets between the two databases buffer.
  await source.core.database.owner.query(
    `INSERT INTO company SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'co_' || n, 'name', repeat('x', 200000)))).*
     FROM company c, generate_series(1, 60) n WHERE c.id = $1`,
    [source.companyId],
  );
  await target.core.database.owner.query("ALTER TABLE company ADD CONSTRAINT full_disk CHECK (id <> 'co_10')");
  onTestFinished(
    async () => void (await target.core.database.owner.query('ALTER TABLE company DROP CONSTRAINT full_disk')),
  );
  await expect(move()).rejects.toMatchObject({ cause: { message: expect.stringContaining('full_disk') } });
  expect(await statesOf()).toEqual([undefined, undefined]);
  await post(context, 1);
});

test('a frozen account does not reopen while a database other than the one in the URL may have the copy', async () => {
  await expect(move({ onStep: stopAt('frozen') })).rejects.toThrow('Stopped');
  await target.core.database.query('DELETE FROM service_process');
  await expect(cancel()).rejects.toThrow('No process of the target cell is running');
  await announceProcess({ ...target.core, cell: 'eu' }, processReport);
  await cancel();
  expect(await statesOf()).toEqual([undefined, undefined]);
  await post(context, 1);
});

test('an account is copied while it is open: deliveries continue, callers notice nothing, and a program that loses the target leaves no trace', async () => {
  await post(context, 1);
  const holder = await openRawClient(target.database.url);
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE company IN ACCESS EXCLUSIVE MODE');
  const moving = move();
  const status = () => readMoveStatusOfSource({ accountId: context.accountId, fromUrl: source.database.url });
  await expect.poll(async () => (await status()).running_since).not.toBeNull();
  const blocked = "datname = current_database() AND application_name = '' AND wait_event_type = 'Lock'";
  const readBlocked = () => target.core.database.owner.query(`SELECT FROM pg_stat_activity WHERE ${blocked}`);
  await expect.poll(async () => (await readBlocked()).length).toBe(1);
  expect(await status()).toMatchObject({ state: 'copying', cell: 'eu' });
  const meanwhile = await post(context, 2);
  const [claim] = await claimEach(source.core, [endpoint], 1);
  expect(claim).toBeDefined();
  await holder.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${blocked}`);
  await expect(moving).rejects.toThrow('The account works here as before');
  expect(await statesOf()).toEqual([undefined, undefined]);
  expect((await getEndpoint(context, { endpoint_id: endpoint })).status).toBe('active');
  await holder.query('ROLLBACK');
  await holder.end();
  const copied = 'SELECT FROM company WHERE account_id = $1';
  expect(await target.core.database.query(copied, [context.accountId])).toEqual([]);
  expect(await eventIds(context)).toContain(meanwhile);
});

test('freezing waits for a claim that has read an active endpoint, and its delivery counts as in flight', async () => {
  await post(context, 1);
  const worker = await openRawClient(source.database.url);
  await worker.query('BEGIN');
  // Like a gated claim whose worker then stalls.
  await worker.query('INSERT INTO endpoint_flow (endpoint_id, account_id) VALUES ($1, $2)', [
    endpoint,
    context.accountId,
  ]);
  const moving = move({ drainMs: 100 });
  moving.catch(() => undefined);
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = '' AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await source.core.database.owner.query(waiting)).length).toBe(1);
  await worker.query(
    "UPDATE due SET lease_token = 'req_1', lease_until = clock_timestamp() + interval '1 minute' WHERE endpoint_id = $1",
    [endpoint],
  );
  await worker.query('COMMIT');
  await worker.end();
  await expect(moving).rejects.toThrow('still in flight');
  expect(await statesOf()).toEqual([undefined, undefined]);
});

/** Like a source restored to a time before its move, after the copy. */
async function leaveCopy(): Promise<void> {
  await expect(move({ onStep: stopAt('copied') })).rejects.toThrow('Stopped at copied.');
  await source.core.database.query('DELETE FROM account_move');
  await source.core.database.query('UPDATE account_sequence SET frozen_at = NULL');
  expect(await statesOf()).toEqual([undefined, 'arriving']);
}

test('a copy of an earlier attempt in the target is replaced', async () => {
  await post(context, 1);
  await leaveCopy();
  const event = await post(context, 2);
  await move();
  expect(await statesOf()).toEqual(['moved', undefined]);
  expect(await eventIds(inTarget())).toContain(event);
  await expect(cancel()).rejects.toThrow('has moved to the cell eu');
});

test('a copy of an earlier attempt does not prevent cancelling', async () => {
  await leaveCopy();
  await expect(move({ onStep: stopAt('draining') })).rejects.toThrow('Stopped');
  await cancel();
  expect(await statesOf()).toEqual([undefined, 'arriving']);
});

test('a target restored to before the move is reported, and an account that is open there does not open in the old cell', async () => {
  await move();
  // Like a source that lost its last commits.
  await source.core.database.query("UPDATE account_move SET state = 'frozen'");
  await expect(cancel()).rejects.toThrow('The account is open in the target cell');
  await expect(move()).rejects.toThrow('has an account with this id already');
  await source.core.database.query("UPDATE account_move SET state = 'moved'");
  await move();
  const restored = await openFixture(inject('pgUrl'));
  await announceProcess({ ...restored.core, cell: 'eu' }, processReport);
  await expect(move({ toUrl: restored.database.url })).rejects.toThrow('The target lacks the account');
  await restored.close();
});

test.each([
  ['unreachable', (url: URL) => void (url.port = '1'), "The database of the target cell can't be used"],
  ['not a cell', (url: URL) => void (url.pathname = '/postgres'), 'The database of the target cell has no tables'],
])('a target database that is %s is rejected before anything changes', async (_, change, message) => {
  const url = new URL(target.database.url);
  change(url);
  await expect(move({ toUrl: url.href })).rejects.toThrow(message);
  expect(await statesOf()).toEqual([undefined, undefined]);
});

test('a user who does not own the tables of the target is rejected before anything changes', async () => {
  const url = new URL(target.database.url);
  Object.assign(url, { username: `user_of_${target.database.name}`, password: 'x' });
  const { owner } = target.core.database;
  await owner.query(`CREATE ROLE ${url.username} LOGIN PASSWORD 'x' IN ROLE finhook_system`);
  await expect(move({ toUrl: url.href })).rejects.toThrow("of the target cell doesn't own its tables");
  expect(await statesOf()).toEqual([undefined, undefined]);
  await owner.query(`DROP ROLE ${url.username}`);
});
