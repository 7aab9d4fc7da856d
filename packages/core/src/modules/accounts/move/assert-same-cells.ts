import { migrations } from '../../../db/migrations/index.ts';
import type { Queryable } from '../../../db/queryable.ts';
import type { AccountTable } from './account-tables.ts';
import { MoveError } from './move-state.ts';

/** A process without a report for this long is gone, as on the operators' page. */
const GONE_SECONDS = 20;

export type CellOfMove = 'this cell' | 'the target cell';

/** The user must own the tables, because row-level security hides rows from others. */
export async function assertOwnedPrimary(db: Queryable, cell: CellOfMove): Promise<void> {
  const [found] = await db.query<{ is_standby: boolean; is_owner: boolean | null }>(
    `SELECT pg_is_in_recovery() AS is_standby,
       (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('public.account')) AS is_owner`,
  );
  if (found?.is_standby) throw new MoveError(`The database of ${cell} is a standby. Name the primary.`);
  if (found?.is_owner) return;
  throw new MoveError(
    found?.is_owner === false
      ? `The user of the database of ${cell} doesn't own its tables. Name the user of the cell's own DATABASE_URL.`
      : `The database of ${cell} has no tables. Correct its URL, or start the api of the cell first.`,
  );
}

/** Changes of a copied account go through temporary tables. */
export async function assertMayCopyTo(target: Queryable): Promise<void> {
  const [found] = await target.query<{ may: boolean; database: string; owner: string }>(
    `SELECT has_database_privilege(current_database(), 'TEMPORARY') AS may, quote_ident(current_database()) AS database,
       quote_ident(current_user) AS owner`,
  );
  if (found === undefined || found.may) return;
  throw new MoveError(
    'The user of the database of the target cell may not create temporary tables. An administrator must run once: ' +
      `GRANT TEMPORARY ON DATABASE ${found.database} TO ${found.owner};`,
  );
}

async function readMigrations(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>('SELECT name FROM mikro_orm_migrations');
  return rows.map(({ name }) => name);
}

export async function assertSameVersion(source: Queryable, target: Queryable): Promise<void> {
  const names = migrations.map(({ name }) => name);
  const [first = ''] = names;
  for (const [cell, db] of [
    ['this cell', source],
    ['the target cell', target],
  ] as const) {
    const there = await readMigrations(db);
    const missing = names.find((name) => !there.includes(name));
    if (missing !== undefined) {
      throw new MoveError(
        `The database of ${cell} lacks the migration ${missing}. Update it to the version of this program first.`,
      );
    }
    const unknown = there.find((name) => name >= first && !names.includes(name));
    if (unknown !== undefined) {
      throw new MoveError(
        `The database of ${cell} has the migration ${unknown}, which this program doesn't know. Update this cell first.`,
      );
    }
  }
}

export function assertSameTables(source: readonly AccountTable[], target: readonly AccountTable[]): void {
  const different = findMissingTable(source, target);
  if (different !== undefined) throw new MoveError(`The target has no table ${different}. Nothing was copied.`);
}

/** A table with its columns that `source` has and `target` lacks. */
export function findMissingTable(source: readonly AccountTable[], target: readonly AccountTable[]): string | undefined {
  const columnsOf = (tables: readonly AccountTable[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.join(', ')})`).toSorted();
  const there = new Set(columnsOf(target));
  return columnsOf(source).find((columns) => !there.has(columns));
}

interface LiveProcess {
  role: string;
  host: string;
  pid: number;
  secrets_keys: string[];
  cell: string;
}

async function readLive(db: Queryable, cell: CellOfMove): Promise<LiveProcess[]> {
  const live = await db.query<LiveProcess>(
    `SELECT role, host, pid, secrets_keys, cell FROM service_process
     WHERE seen_at > now() - ${GONE_SECONDS} * interval '1 second' ORDER BY id`,
  );
  if (live.length > 0) return live;
  throw new MoveError(
    `No process of ${cell} is running, so its CELL and SECRETS_KEY are unknown. Start its api and its worker first.`,
  );
}

/** Callers and proxies route by the target's name. */
export async function assertNamed(target: Queryable, toCell: string): Promise<void> {
  const live = await readLive(target, 'the target cell');
  const unnamed = live.find(({ cell }) => cell === '');
  if (unnamed !== undefined) {
    throw new MoveError(`${nameOf(unnamed)} has no CELL. Set it to ${toCell} for all its processes, and restart them.`);
  }
  const foreign = live.find(({ cell }) => cell !== toCell);
  if (foreign !== undefined) {
    throw new MoveError(
      `${nameOf(foreign)} has the CELL ${foreign.cell}, not ${toCell}. Correct --to-cell or --to-database-url.`,
    );
  }
}

/** Without the source's keys, the target could neither recognise API keys nor decrypt secrets. */
export async function assertHasKeys(source: Queryable, target: Queryable): Promise<void> {
  const needed = (await readLive(source, 'this cell')).flatMap(({ secrets_keys }) => secrets_keys);
  const live = await readLive(target, 'the target cell');
  const other = live.find(({ secrets_keys }) => !needed.every((id) => secrets_keys.includes(id)));
  if (other === undefined) return;
  throw new MoveError(
    `${nameOf(other)} lacks a key of this cell's SECRETS_KEY. Add it to the SECRETS_KEY of all its processes, behind a ` +
      'comma, and restart them.',
  );
}

const nameOf = ({ role, host, pid }: LiveProcess): string => `The ${role} on ${host} (pid ${pid}) of the target cell`;
