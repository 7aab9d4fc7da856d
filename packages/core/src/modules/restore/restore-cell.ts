import { moveSettings } from '../../db/connection-settings.ts';
import { asOwner } from '../../db/migrate-database.ts';
import type { Queryable } from '../../db/queryable.ts';
import { assertOwnedPrimary, assertSameVersion } from '../accounts/move/assert-same-cells.ts';
import { inTransaction } from '../accounts/move/copy-account.ts';
import { beginMove, freeze, MoveError, pauseEndpoints, readMove, thaw } from '../accounts/move/move-state.ts';
import { recordIdentity } from './database-identity.ts';
import { type Copy, type Decision, decideHome } from './decide-home.ts';

export interface PeerCell {
  cell: string;
  url: string;
}

export interface RestoreOptions {
  /** `CELL` of the restored cell; '' for an installation without a name, which has no peers. */
  cell: string;
  url: string;
  /** All other cells with which accounts were exchanged. */
  peers: readonly PeerCell[];
  close?: readonly string[];
  /** The database is not an older state, so sequences don't advance. */
  isCurrent?: boolean;
}

interface RestoreReport {
  closed: { account_id: string; cell: string; reopened: boolean }[];
  /** Accounts without a copy here, whose earlier cells now redirect to `cell`. */
  redirected: { account_id: string; cell: string }[];
  finished: string[];
  advanced: number;
}

/** More events than an account has emitted since the restored state. */
const AHEAD = 1_000_000;
const GONE_SECONDS = 20;

/** Compares a restored cell with its peers. Decides for all accounts before the first change. Throws `MoveError`. */
export async function restoreCell(options: RestoreOptions): Promise<RestoreReport> {
  const { peers } = options;
  return asOwner({ connectionString: options.url, options: moveSettings }, async (own) => {
    await assertOwnedPrimary(own, 'this cell');
    await assertStopped(own);
    return withPeers(peers, async (connections) => {
      for (const [name, db] of connections) {
        await assertSameVersion(own, db);
        await assertPeer(own, db, name);
      }
      const report: RestoreReport = { closed: [], redirected: [], finished: [], advanced: 0 };
      for (const [id, decision] of await decideAll(own, connections, options)) {
        await lockMove(own, id);
        if (decision.kind === 'finish') {
          await thaw(own, id);
          report.finished.push(id);
        }
        if (decision.kind !== 'close') continue;
        const { home, reopen } = decision;
        const isHere = await inTransaction(own, () => closeCopy(own, id, home));
        if (!isHere) await redirectTo(home, { id, from: options.cell, connections });
        const there = connections.get(home);
        if (reopen && there !== undefined) await openCopy(there, id);
        if (isHere || reopen) report.closed.push({ account_id: id, cell: home, reopened: reopen });
        else report.redirected.push({ account_id: id, cell: home });
      }
      await inTransaction(own, async () => {
        if (options.isCurrent !== true) report.advanced = await advance(own);
        await recordIdentity(own);
      });
      return report;
    });
  });
}

async function withPeers<T>(
  [first, ...others]: readonly PeerCell[],
  work: (connections: Map<string, Queryable>) => Promise<T>,
): Promise<T> {
  if (first === undefined) return work(new Map());
  let isOpen = false;
  return asOwner({ connectionString: first.url, options: moveSettings }, async (db) => {
    isOpen = true;
    await assertOwnedPrimary(db, 'the target cell');
    return withPeers(others, (connections) => work(connections.set(first.cell, db)));
  }).catch((error: unknown) => {
    throw isOpen ? error : new MoveError(`The database of the cell ${first.cell} can't be used`, { cause: error });
  });
}

async function assertStopped(own: Queryable): Promise<void> {
  const [live] = await own.query<{ role: string; host: string; pid: number }>(
    `SELECT role, host, pid FROM service_process WHERE seen_at > now() - ${GONE_SECONDS} * interval '1 second' LIMIT 1`,
  );
  if (live === undefined) return;
  throw new MoveError(
    `The ${live.role} on ${live.host} (pid ${live.pid}) of this cell has reported within ${GONE_SECONDS} s. Stop all ` +
      'processes of this cell, wait that long, and run the command again.',
  );
}

async function assertPeer(own: Queryable, db: Queryable, name: string): Promise<void> {
  const cells = await db.query<{ cell: string }>(
    `SELECT DISTINCT cell FROM service_process WHERE seen_at > now() - ${GONE_SECONDS} * interval '1 second'`,
  );
  if (cells.length === 0) {
    throw new MoveError(
      `No process of the cell ${name} is running, so its name can't be checked. Start its api first.`,
    );
  }
  const other = cells.find(({ cell }) => cell !== name);
  if (other !== undefined) {
    throw new MoveError(`The database given for the cell ${name} is that of the cell "${other.cell}". Correct --peer.`);
  }
  const of = `SELECT (SELECT system_identifier::text FROM pg_control_system()) || '/' || oid AS name
    FROM pg_database WHERE datname = current_database()`;
  const [[here], [there]] = await Promise.all([own.query<{ name: string }>(of), db.query<{ name: string }>(of)]);
  if (here?.name === there?.name) {
    throw new MoveError(`The database given for the cell ${name} is that of this cell. Correct --peer.`);
  }
}

async function readCopies(db: Queryable): Promise<Map<string, Copy>> {
  const rows = await db.query<Copy>(
    `SELECT a.id AS account_id, m.state, m.cell, m.begun_at::text AS begun_at,
       coalesce(q.audit_position, 0)::text AS audit_position,
       EXISTS (SELECT FROM company c WHERE c.account_id = a.id) AS has_rows
     FROM account a LEFT JOIN account_move m ON m.account_id = a.id LEFT JOIN account_sequence q ON q.account_id = a.id`,
  );
  return new Map(rows.map((row) => [row.account_id, row]));
}

const MOST_PROBLEMS = 20;

async function decideAll(
  own: Queryable,
  connections: ReadonlyMap<string, Queryable>,
  { cell, close = [] }: RestoreOptions,
): Promise<[id: string, Decision][]> {
  const here = await readCopies(own);
  const there = new Map<string, Map<string, Copy>>();
  for (const [name, db] of connections) there.set(name, await readCopies(db));
  const ids = new Set([here, ...there.values()].flatMap((copies) => [...copies.keys()]));
  const decisions = [...ids].map((id): [string, Decision] => {
    const peers = new Map<string, Copy>();
    for (const [name, copies] of there) {
      const copy = copies.get(id);
      if (copy !== undefined) peers.set(name, copy);
    }
    const peerNames = [...connections.keys()];
    return [id, decideHome({ cell, own: here.get(id), peers, peerNames, mayClose: close.includes(id) })];
  });
  const problems = decisions.flatMap(([id, found]) => (found.kind === 'problem' ? [`${id}: ${found.text}.`] : []));
  if (problems.length === 0) return decisions.filter(([, { kind }]) => kind !== 'keep');
  const more = problems.length > MOST_PROBLEMS ? [`And ${problems.length - MOST_PROBLEMS} more.`] : [];
  throw new MoveError(['Nothing was changed.', ...problems.slice(0, MOST_PROBLEMS), ...more].join('\n'));
}

async function lockMove(db: Queryable, id: string): Promise<void> {
  const [lock] = await db.query<{ is_mine: boolean }>(
    "SELECT pg_try_advisory_lock(hashtextextended('account_move|' || $1, 0)) AS is_mine",
    [id],
  );
  if (lock?.is_mine !== true)
    throw new MoveError(`An account:move of ${id} is running. Wait for it, and run this again.`);
}

async function closeCopy(own: Queryable, id: string, home: string): Promise<boolean> {
  if ((await own.query('SELECT FROM account WHERE id = $1', [id])).length === 0) return false;
  if ((await readMove(own, id)) === undefined) await beginMove(own, id, home, 'the program restored');
  await pauseEndpoints(own, id);
  await freeze(own, id);
  await own.query("UPDATE account_move SET state = 'moved', cell = $2 WHERE account_id = $1", [id, home]);
  return true;
}

interface Redirect {
  id: string;
  from: string;
  connections: ReadonlyMap<string, Queryable>;
}

/** Redirects callers from earlier cells to `home` instead of the restored cell. */
async function redirectTo(home: string, { id, from, connections }: Redirect): Promise<void> {
  for (const [name, db] of connections) {
    if (name === home) continue;
    await lockMove(db, id);
    await db.query("UPDATE account_move SET cell = $3 WHERE account_id = $1 AND state = 'moved' AND cell = $2", [
      id,
      from,
      home,
    ]);
  }
}

async function openCopy(there: Queryable, id: string): Promise<void> {
  await lockMove(there, id);
  await inTransaction(there, async () => {
    await thaw(there, id);
    await there.query(`UPDATE account_sequence SET position = position + ${AHEAD} WHERE account_id = $1`, [id]);
  });
}

/** Includes accounts in a move, which may have been cancelled later. Returns the number of sequences. */
async function advance(own: Queryable): Promise<number> {
  const [row] = await own.query<{ n: number }>(
    `WITH ahead AS (
       UPDATE account_sequence q SET position = position + ${AHEAD}, frozen_at = frozen_at + ${AHEAD}
       WHERE NOT EXISTS (
         SELECT FROM account_move m WHERE m.account_id = q.account_id AND m.state IN ('moved', 'arriving'))
       RETURNING 1
     ) SELECT count(*)::int AS n FROM ahead`,
  );
  return row?.n ?? 0;
}
