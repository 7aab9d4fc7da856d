import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { databaseErrorCode } from './database-error.ts';
import type { Queryable } from './queryable.ts';
import { systemRole, tenantRole } from './row-security.ts';

/** A function of a `.sql` file, and its type of the same name if the file creates one. */
export interface StoredFunction {
  /** The name in the file with a hash of the text, so that each version of the program calls its own. */
  readonly name: string;
  readonly sql: string;
}

/**
 * Reads `store-x.sql`, which creates `store_x`. `{{part}}` stands for the SQL in `parts` that the function has in common
 * with statements.
 */
export function storedFunction(file: URL, parts: Readonly<Record<string, string>> = {}): StoredFunction {
  const given = basename(file.pathname, '.sql').replaceAll('-', '_');
  const text = readFileSync(file, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, part: string) => {
    const sql = parts[part];
    if (sql === undefined) throw new Error(`${basename(file.pathname)} needs the part ${part}.`);
    return sql;
  });
  const name = `${given}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  return { name, sql: text.replaceAll(new RegExp(`\\b${given}\\b`, 'g'), name) };
}

/** Maintenance drops a function this long after the last process that calls it has gone. */
const KEPT = "interval '1 hour'";

/** Creates missing functions, and keeps the others for a starting process, which has not announced itself yet. */
export async function createFunctions(owner: Queryable, functions: readonly StoredFunction[]): Promise<void> {
  for (const { name, sql } of functions) {
    await owner.query('BEGIN');
    // Locks the row, so that maintenance either has dropped the function before, or keeps it.
    await owner.query(
      `INSERT INTO stored_function (name, seen_at) VALUES ($1, now())
       ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at`,
      [name],
    );
    const [found] = await owner.query<{ exists: boolean }>('SELECT to_regproc($1) IS NOT NULL AS exists', [name]);
    if (found?.exists !== true) {
      await owner.query(
        `DROP TYPE IF EXISTS ${name}; ${sql} GRANT EXECUTE ON FUNCTION ${name} TO ${tenantRole}, ${systemRole}`,
      );
    }
    await owner.query('COMMIT');
  }
}

const UNDEFINED_FUNCTION = '42883';

/** True if a statement failed because the database has lost one of the functions. */
export function isFunctionLost(error: unknown, functions: readonly StoredFunction[]): boolean {
  return databaseErrorCode(error) === UNDEFINED_FUNCTION && functions.some(({ name }) => String(error).includes(name));
}

/** Keeps the functions for a starting process. Returns the names of those that do not exist. */
export async function keepFunctions(owner: Queryable, functions: readonly StoredFunction[]): Promise<string[]> {
  const names = functions.map(({ name }) => name);
  const kept = await owner.query<{ name: string }>(
    'UPDATE stored_function SET seen_at = now() WHERE name = ANY ($1) AND to_regproc(name) IS NOT NULL RETURNING name',
    [names],
  );
  return names.filter((name) => !kept.some((row) => row.name === name));
}

/**
 * Drops the functions that no process calls any more. A process that ended without a shutdown counts for a day. `own` are
 * those of the calling process: after the machine has slept for a day, it may not have announced itself again.
 */
export async function dropUnusedFunctions(tx: Queryable, own: readonly string[]): Promise<string[]> {
  await tx.query(
    `UPDATE stored_function SET seen_at = now()
     WHERE name = ANY ($1) OR EXISTS (SELECT FROM service_process WHERE stored_function.name = ANY (functions))`,
    [own],
  );
  const unused = await tx.query<{ name: string; drop: string }>(
    `DELETE FROM stored_function WHERE seen_at < now() - ${KEPT}
     RETURNING name, format('DROP FUNCTION IF EXISTS %1$I; DROP TYPE IF EXISTS %1$I', name) AS drop`,
  );
  for (const { drop } of unused) await tx.query(drop);
  return unused.map(({ name }) => name);
}
