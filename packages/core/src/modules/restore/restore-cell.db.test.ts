// Risk: a restored cell opens an account that another cell has, loses the newest copy, or reuses positions that clients saw.
import { createTestDatabase, withClient } from '@finhook/testing';
import { useOpened } from '@finhook/testing/use';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openFixture } from '../../../test/core-fixture.ts';
import { processReport } from '../../../test/process-report.ts';
import { emptyCell, stopAt } from '../../../test/two-cells.ts';
import { openCore } from '../../open-core.ts';
import type { Context, Core } from '../../verbs/context.ts';
import { deleteMovedAccount } from '../accounts/move/cancel-move.ts';
import { type MoveStep, moveAccount } from '../accounts/move/move-account.ts';
import { createCompany } from '../companies/create.ts';
import { listEvents } from '../events/read.ts';
import { announceProcess } from '../processes/service-processes.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { assertNotRestored } from './database-identity.ts';
import { type RestoreOptions, restoreCell } from './restore-cell.ts';

type CellName = 'eu' | 'us' | 'ap';
interface Cell {
  name: CellName;
  core: Core;
  url: string;
}

const three = useOpened(
  async () => {
    const [eu, us, ap] = await Promise.all([openCell('eu'), openCell('us'), openCell('ap')]);
    return { eu, us, ap };
  },
  (all) => Promise.all(Object.values(all).map(({ fixture }) => fixture.close())),
);
let eu: Cell;
let us: Cell;
let context: Context;
let accountId: string;
let opened: AsyncDisposableStack;

async function openCell(name: CellName) {
  const fixture = await openFixture(inject('pgUrl'));
  return { fixture, name, core: { ...fixture.core, cell: name }, url: fixture.database.url };
}

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  ({ eu, us } = three);
  for (const cell of Object.values(three)) {
    await emptyCell(cell);
    await announceProcess(cell.core, processReport);
    await assertNotRestored(cell.core);
  }
  ({ context } = await three.eu.fixture.otherAccount());
  ({ accountId } = context);
  await createEndpoint(inCell(eu), { url: 'http://127.0.0.1:4010/hook' });
});
afterEach(() => opened.disposeAsync());

const inCell = ({ core }: Cell): Context => ({ ...context, ...core, database: core.database.forAccount(accountId) });

/** A copy of the database like a dump, without running processes. */
async function dump({ name, url }: Cell): Promise<Cell> {
  await withClient(inject('pgUrl'), (client) =>
    client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      new URL(url).pathname.slice(1),
    ]),
  );
  const database = await createTestDatabase(inject('pgUrl'), { template: new URL(url).pathname.slice(1) });
  opened.defer(() => database.drop());
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  const core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true, cell: name });
  opened.defer(() => core.database.close());
  await stopProcesses({ core });
  return { name, core, url: database.url };
}

const stopProcesses = ({ core }: Pick<Cell, 'core'>) =>
  core.database.query("UPDATE service_process SET seen_at = now() - interval '1 hour'");

const move = (from: Cell, to: Cell, onStep?: (step: MoveStep) => void) =>
  moveAccount({
    accountId,
    toCell: to.name,
    fromUrl: from.url,
    toUrl: to.url,
    noticeMs: 10,
    ...(onStep && { onStep }),
  });
const change = (cell: Cell, name: string) => createCompany(inCell(cell), { name });
const namesIn = async ({ core }: Cell) =>
  (
    await core.database.owner.query<{ name: string }>('SELECT name FROM company WHERE account_id = $1 ORDER BY id', [
      accountId,
    ])
  ).map(({ name }) => name);
const restore = (cell: Cell, peers: Cell[], more: Partial<RestoreOptions> = {}) =>
  restoreCell({ cell: cell.name, url: cell.url, peers: peers.map(({ name, url }) => ({ cell: name, url })), ...more });

/** The cells in which the account can be changed. */
async function openIn(...cells: Cell[]): Promise<string[]> {
  const open: string[] = [];
  for (const cell of cells) {
    const tried = await change(cell, 'tried').then(
      () => [cell.name],
      () => [],
    );
    const { length: active } = await cell.core.database.owner.query(
      "SELECT FROM webhook_endpoint WHERE account_id = $1 AND status = 'active'",
      [accountId],
    );
    expect(active, `active endpoints in ${cell.name}`).toBe(tried.length);
    open.push(...tried);
  }
  return open;
}

const positionIn = async ({ core }: Cell): Promise<number> => {
  const [row] = await core.database.query<{ position: string }>(
    'SELECT position FROM account_sequence WHERE account_id = $1',
    [accountId],
  );
  return Number(row?.position);
};

test('a cell without a move: the restored database starts after the command, and its sequences go on ahead', async () => {
  const { next_cursor: cursor } = await listEvents(inCell(eu), { limit: 100, order: 'asc' });
  const old = await dump(eu);
  await expect(assertNotRestored(old.core)).rejects.toThrow('was restored or copied');
  const before = await positionIn(old);
  expect(await restore(old, [us])).toEqual({ closed: [], redirected: [], finished: [], advanced: 1 });
  await assertNotRestored(old.core);
  expect(await openIn(old)).toEqual(['eu']);
  expect(await positionIn(old)).toBeGreaterThan(before + 1_000_000);
  expect((await listEvents(inCell(old), { limit: 100, order: 'asc', after: cursor ?? '' })).data).toHaveLength(1);
});

test('the source, restored to after the move, moves the sequences of its other accounts only', async () => {
  await move(eu, us);
  const old = await dump(eu);
  const frozen = await positionIn(old);
  expect(await restore(old, [us])).toEqual({ closed: [], redirected: [], finished: [], advanced: 0 });
  expect(await positionIn(old)).toBe(frozen);
  expect(await openIn(old, us)).toEqual(['us']);
});

test('the target, restored to before the arrival: the copy of the source opens again', async () => {
  await change(eu, 'moved with it');
  const old = await dump(us);
  await move(eu, us);
  const seen = await positionIn(us);
  expect(await restore(old, [eu])).toMatchObject({ closed: [{ account_id: accountId, cell: 'eu', reopened: true }] });
  expect(await openIn(old, eu)).toEqual(['eu']);
  expect(await namesIn(eu)).toContain('moved with it');
  expect(await positionIn(eu)).toBeGreaterThan(seen + 1_000_000);
});

test.each(['before the move', 'while it drained'])(
  'the source, restored to %s, after which the target got the copy and not the account: the newer copy opens',
  async (time) => {
    if (time === 'while it drained') await move(eu, us, stopAt('draining')).catch(() => undefined);
    const old = await dump(eu);
    await change(eu, 'later');
    await move(eu, us, stopAt('copied')).catch(() => undefined);
    expect(await restore(old, [us])).toMatchObject({ closed: [{ cell: 'us', reopened: true }] });
    expect(await openIn(old, us)).toEqual(['us']);
    expect(await namesIn(us)).toContain('later');
  },
);

test.each(['before both moves', 'between the moves'])(
  'after a move there and back, a state of %s is replaced by the newest remaining copy',
  async (time) => {
    let old = await dump(eu);
    await move(eu, us);
    if (time === 'between the moves') old = await dump(eu);
    await change(us, 'made in us');
    await move(us, eu);
    expect(await restore(old, [us])).toMatchObject({ closed: [{ cell: 'us', reopened: true }] });
    expect(await openIn(old, us)).toEqual(['us']);
    expect(await namesIn(us)).toContain('made in us');
  },
);

test('nothing changes while a copy is deleted, both copies have changes, or a cell is not named', async () => {
  const old = await dump(us);
  const oldSource = await dump(eu);
  await move(eu, us);
  await deleteMovedAccount({ accountId, fromUrl: eu.url });
  await expect(restore(old, [eu])).rejects.toThrow('account:move --delete has deleted the copy');
  await expect(assertNotRestored(old.core)).rejects.toThrow('was restored or copied');

  for (const name of ['a', 'b']) await change(oldSource, name);
  await expect(restore(oldSource, [us])).rejects.toThrow('this copy has 2 changes more');
  await restore(oldSource, [us], { close: [accountId] });
  expect(await openIn(oldSource, us)).toEqual(['us']);
  const oldAfter = await dump(oldSource);
  await expect(restore(oldAfter, [])).rejects.toThrow('it has moved to the cell us. Name that one too');
});

test('the command runs beside no process of the restored cell, and only with the databases of the cells it is given', async () => {
  await expect(restore(eu, [us])).rejects.toThrow('The api on b1 (pid 7) of this cell has reported');
  const old = await dump(eu);
  const wrong = { ...us, url: eu.url };
  await expect(restore(old, [wrong])).rejects.toThrow('is that of the cell "eu"');
  await us.core.database.query('DELETE FROM service_process');
  await expect(restore(old, [us])).rejects.toThrow('No process of the cell us is running');
});

test('a snapshot of the disk starts as the cell itself, with the account open twice, and the command closes its copy', async () => {
  const old = await dump(eu);
  await move(eu, us);
  // A snapshot keeps the recorded identity.
  await assertNotRestored({ ...old.core, cell: '' });
  await assertNotRestored(old.core);
  expect(await openIn(old, us)).toEqual(['eu', 'us']);
  const closed = [{ account_id: accountId, cell: 'us', reopened: false }];
  expect(await restore(old, [us])).toMatchObject({ closed });
  expect(await openIn(old, us)).toEqual(['us']);
  expect(await restore(old, [us])).toMatchObject({ closed: [] });
});

test('a new timeline is a promotion if a process has reported shortly before, and a recovery otherwise', async () => {
  await us.core.database.query('UPDATE database_identity SET timeline = timeline - 1');
  await assertNotRestored(us.core);
  await us.core.database.query('UPDATE database_identity SET timeline = timeline - 1');
  await announceProcess(us.core, processReport);
  await us.core.database.query('DELETE FROM service_process');
  await assertNotRestored(us.core);
  await us.core.database.query('UPDATE database_identity SET timeline = timeline - 1');
  await expect(assertNotRestored(us.core)).rejects.toThrow('was restored or copied');
  await assertNotRestored({ ...us.core, cell: '' });
});

/** The cell that callers with a key of `from` reach by redirects. */
async function reachedFrom(from: CellName, cells: Cell[]): Promise<string> {
  let at: string = from;
  for (let hops = 0; hops < cells.length; hops++) {
    const [former] =
      (await cells
        .find(({ name }) => name === at)
        ?.core.database.owner.query<{ cell: string }>(
          "SELECT cell FROM account_move WHERE account_id = $1 AND state = 'moved'",
          [accountId],
        )) ?? [];
    if (former === undefined) return at;
    at = former.cell;
  }
  return 'none';
}

test.each([
  { name: 'eu', time: 'before the first move', home: 'ap' },
  { name: 'eu', time: 'between the moves', home: 'ap' },
  { name: 'us', time: 'before the first move', home: 'ap' },
  { name: 'us', time: 'before the first thaw', home: 'ap' },
  { name: 'us', time: 'between the moves', home: 'ap' },
  { name: 'ap', time: 'between the moves', home: 'us' },
  { name: 'ap', time: 'after both', home: 'ap' },
] as const)(
  'from eu to us and on to ap; $name, restored to $time: open in $home, and found by old keys',
  async (row) => {
    const { ap } = three;
    const current = { eu, us, ap };
    const times = ['before the first move', 'before the first thaw', 'between the moves', 'after both'] as const;
    const dumps = new Map<string, Cell>();
    const keep = async (time: (typeof times)[number]) => {
      if (time === row.time) dumps.set(time, await dump(current[row.name]));
    };
    await keep('before the first move');
    await move(eu, us, stopAt('moved')).catch(() => keep('before the first thaw'));
    await move(eu, us);
    await change(us, 'made in us');
    await keep('between the moves');
    await move(us, ap);
    if (row.home === 'ap') await change(ap, 'made in ap');
    await keep('after both');
    const old = dumps.get(row.time);
    if (old === undefined) throw new Error('There is no dump.');
    const peers = Object.values(current).filter(({ name }) => name !== row.name);
    const [left] = await old.core.database.owner.query<{ cell: string }>(
      "SELECT cell FROM account_move WHERE account_id = $1 AND state = 'moved'",
      [accountId],
    );
    if (left !== undefined) {
      const others = peers.filter(({ name }) => name !== left.cell);
      await expect(restore(old, others)).rejects.toThrow(`it has moved to the cell ${left.cell}. Name that one too`);
    }
    await restore(old, peers);
    const cells = [old, ...peers];
    // An operator runs the first move again, which is unfinished in the restored cell.
    const first = { eu, us, [row.name]: old };
    await announceProcess(first.us.core, processReport);
    await move(first.eu, first.us).catch(() => undefined);
    await stopProcesses(old);
    expect(await openIn(...cells)).toEqual([row.home]);
    expect(await reachedFrom('eu', cells)).toBe(row.home);
    const [home] = cells.filter(({ name }) => name === row.home);
    expect(home && (await namesIn(home))).toContain('made in us');
    expect(await restore(old, peers)).toMatchObject({ closed: [], finished: [] });
  },
);
