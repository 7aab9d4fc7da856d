import {
  defineEntity,
  type EntityManager,
  type EntityName,
  type FilterQuery,
  LockMode,
  p,
  type RequiredEntityData,
} from '@mikro-orm/postgresql';
import type { Transaction } from '../db/database.ts';
import type { IdPrefix } from '../ids/ids.ts';
import type { Context } from './context.ts';

/** Adds the columns of every record to `properties`. */
export function recordEntity<const Name extends string, const Properties extends Record<string, unknown>>(
  name: Name,
  tableName: string,
  properties: Properties,
) {
  return defineEntity({
    name,
    tableName,
    properties: {
      id: p.text().primary(),
      account_id: p.text(),
      ...properties,
      created_at: p.datetime(),
      updated_at: p.datetime(),
    },
  });
}

interface RecordColumns {
  id: string;
  account_id: string;
  created_at: Date;
  updated_at: Date;
}

/** Finds a record of the caller's account. `lock` locks its row until the transaction ends. */
export async function findRecord<T extends RecordColumns>(
  em: EntityManager,
  { accountId }: Context,
  entity: EntityName<T>,
  id: string,
  lock = false,
): Promise<T | null> {
  return em.findOne(entity, inAccount<T>(id, accountId), lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
}

export async function insertRecord<T extends RecordColumns>(
  { em }: Transaction,
  context: Context,
  entity: EntityName<T>,
  prefix: IdPrefix,
  fields: Omit<RequiredEntityData<T>, keyof RecordColumns>,
  now = context.clock.now(),
): Promise<T> {
  const columns = { id: context.newId(prefix), account_id: context.accountId, created_at: now, updated_at: now };
  const created = em.create(entity, withColumns<T>(fields, columns));
  await em.flush();
  return created;
}

/** Those of `names` that the input has; the nullable columns of a new record may be absent. */
export function pickGiven<T extends object, const F extends keyof T>(input: T, names: readonly F[]): Pick<T, F> {
  const given = names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]);
  return Object.fromEntries(given) as Pick<T, F>;
}

/** Assigns those of `names` that the input has. */
export function assignGiven<T extends object, F extends keyof T>(
  target: T,
  input: { readonly [K in F]?: T[K] | undefined },
  names: readonly F[],
): void {
  for (const name of names) {
    const value = input[name];
    if (value !== undefined) target[name] = value;
  }
}

// `RecordColumns` has both columns of the condition.
function inAccount<T extends RecordColumns>(id: string, accountId: string): FilterQuery<NoInfer<T>> {
  return { id, account_id: accountId } as FilterQuery<NoInfer<T>>;
}

// The two arguments have all fields of `T`.
function withColumns<T extends RecordColumns>(
  fields: Omit<RequiredEntityData<T>, keyof RecordColumns>,
  columns: RecordColumns,
): RequiredEntityData<T> {
  return { ...fields, ...columns } as RequiredEntityData<T>;
}
