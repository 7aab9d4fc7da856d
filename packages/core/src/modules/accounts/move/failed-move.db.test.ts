// Risk: a move that fails leaves the account closed, opens it in both cells, or copies it while it is closed.
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { CoreFixture } from '../../../../test/core-fixture.ts';
import { openRawClient } from '../../../../test/raw-client.ts';
import { moveBetween, moveStates, ofMove, stopAt, terminate, useTwoCells } from '../../../../test/two-cells.ts';
import type { Context } from '../../../verbs/context.ts';
import { createCompany } from '../../companies/create.ts';
import { getEndpoint } from '../../webhooks/read.ts';
import { findKnownKey } from '../authenticate.ts';
import { type MoveStep, moveAccount } from './move-account.ts';
import { readUnfinishedMoves } from './read-moves.ts';

let source: CoreFixture;
let target: CoreFixture;
let context: Context;
let endpoint_id: string;

const cells = useTwoCells();
beforeEach(async () => {
  ({ source, target, context, endpointId: endpoint_id } = await cells.begin());
});

function move(more: Partial<Parameters<typeof moveAccount>[0]> = {}): Promise<void> {
  return moveAccount({ ...moveBetween({ source, target, context }), ...more });
}

const statesOf = () => moveStates({ source, target, context });

async function expectWorksHere(): Promise<void> {
  expect((await statesOf())[0]).toBeUndefined();
  expect((await getEndpoint(context, { endpoint_id })).status).toBe('active');
  expect((await findKnownKey(source.core, source.apiKey)).principal.moving).toBeUndefined();
  await createCompany(context, { name: 'Made after the failure' });
}

/** Holds the locks of `sql` until it is released. */
async function hold({ database }: CoreFixture, sql: string, values: string[] = []) {
  const client = await openRawClient(database.url);
  await client.query('BEGIN');
  await client.query(sql, values);
  return { release: () => client.end(), [Symbol.asyncDispose]: () => client.end() };
}

const connectionsOfMove = ({ core }: CoreFixture, condition = 'true') =>
  core.database.owner.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE ${ofMove} AND ${condition}`);

const isBlocked = (cell: CoreFixture) =>
  expect.poll(async () => (await connectionsOfMove(cell, "wait_event_type = 'Lock'")).length).toBe(1);

test('the account works as before if the connection to the target is lost at the end of the copy', async () => {
  await using _held = await hold(target, 'LOCK TABLE account_move IN SHARE MODE');
  const moving = move();
  moving.catch(() => undefined);
  await isBlocked(target);
  await terminate(target);
  await expect(moving).rejects.toThrow('The account works here as before');
  await expectWorksHere();
});

test('the account works as before if the copy takes longer than its limit', async () => {
  await using _held = await hold(target, 'LOCK TABLE company IN ACCESS EXCLUSIVE MODE');
  await expect(move({ copyMs: 300 })).rejects.toThrow('After "copying", the next step has not come');
  await expectWorksHere();
});

test('an account that the target may have opened does not open here, even if the response to that statement is lost', async () => {
  const { accountId } = context;
  const atTarget = await hold(target, 'LOCK TABLE account_move IN SHARE MODE');
  // Long enough for the locks below on a busy machine: the limit ends it after they are held.
  const moving = move({ closedMs: 3_000 });
  moving.catch(() => undefined);
  await isBlocked(target);
  const atSource = await hold(source, 'SELECT FROM account_move WHERE account_id = $1 FOR UPDATE', [accountId]);
  await atTarget.release();
  await isBlocked(source);
  // The limit ends the connection to the target, and then the source is lost.
  await expect.poll(() => connectionsOfMove(target), { timeout: 20_000 }).toEqual([]);
  await terminate(source);
  await expect(moving).rejects.toThrow('Run the command again to go on');
  await atSource.release();
  expect(await statesOf()).toEqual(['frozen', 'arriving']);
  await expect(createCompany(context, { name: 'Too late' })).rejects.toThrow();
  await move();
  expect(await statesOf()).toEqual(['moved', undefined]);
});

test('an interrupted move starts over: the account works while it is copied again', async () => {
  await expect(move({ onStep: stopAt('frozen') })).rejects.toThrow('Stopped');
  await expect(createCompany(context, { name: 'Closed' })).rejects.toThrow();
  const steps: MoveStep[] = [];
  let moving: Promise<void>;
  {
    await using _held = await hold(target, 'LOCK TABLE company IN ACCESS EXCLUSIVE MODE');
    moving = move({ begunBy: 'ann@b1, pid 7', onStep: (step) => steps.push(step) });
    moving.catch(() => undefined);
    await isBlocked(target);
    expect((await getEndpoint(context, { endpoint_id })).status).toBe('active');
    expect((await findKnownKey(source.core, source.apiKey)).principal.moving).toBeUndefined();
    await createCompany(context, { name: 'Made while it is copied' });
    expect(await readUnfinishedMoves(source.core, 5)).toMatchObject([{ state: 'copying', begunBy: 'ann@b1, pid 7' }]);
  }
  await moving;
  expect(steps).toEqual(['copying', 'draining', 'frozen', 'copied', 'moved', 'arrived']);
  const there = target.core.database.owner.query("SELECT FROM company WHERE name = 'Made while it is copied'");
  expect(await there).toHaveLength(1);
});

const migrations = "hashtext('finhook migrations')";
const ran = "INSERT INTO mikro_orm_migrations (name) VALUES ('9999-later')";
const undone =
  "DELETE FROM mikro_orm_migrations WHERE name = '9999-later'; ALTER TABLE company DROP COLUMN IF EXISTS late";
test.each([
  ['the target has run another migration', () => target, ran, 'the target cell has the migration 9999-later'],
  ['this cell has run another migration', () => source, ran, 'this cell has the migration 9999-later'],
  ['this cell has got a column', () => source, 'ALTER TABLE company ADD late text', 'a table was changed: company ('],
])('an account is not closed if, while it was copied, %s', async (_, at, sql, message) => {
  let changed: Promise<unknown> | undefined;
  onTestFinished(async () => void (await at().core.database.owner.query(undone)));
  // The account drains until the change is made.
  const migrating = await hold(target, `SELECT pg_advisory_lock(${migrations})`);
  const steps: MoveStep[] = [];
  const onStep = (step: MoveStep): void => {
    steps.push(step);
    if (step === 'draining') changed = at().core.database.owner.query(sql).then(migrating.release);
  };
  await expect(move({ onStep })).rejects.toThrow(message);
  await changed;
  expect(steps).toEqual(['copying', 'draining']);
  await expectWorksHere();
});

test('an account is not closed while a migration runs, and none begins while it is closed', async () => {
  {
    await using _migrating = await hold(target, `SELECT pg_advisory_lock(${migrations})`);
    await expect(move({ drainMs: 100 })).rejects.toThrow('One of the cells is still running migrations');
    await expectWorksHere();
  }
  await using _held = await hold(target, 'LOCK TABLE account_move IN SHARE MODE');
  const moving = move();
  moving.catch(() => undefined);
  await isBlocked(target);
  for (const { core } of [source, target]) {
    expect(await core.database.owner.query(`SELECT pg_try_advisory_lock(${migrations}) AS is_mine`)).toEqual([
      { is_mine: false },
    ]);
  }
  await terminate(target);
  await expect(moving).rejects.toThrow('works here as before');
});
