import { type Field, fieldOf, fieldsOf } from '@finhook/contracts';
import {
  defineEntity,
  type EntityManager,
  type EntityName,
  type FilterQuery,
  LockMode,
  p,
  type RequiredEntityData,
} from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { assertAccessible } from '../access/access.ts';
import type { Transaction } from '../db/database.ts';
import type { IdPrefix } from '../ids/ids.ts';
import type { Context } from './context.ts';
import type { Literals } from './record.ts';

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

interface Column<Value, Options> {
  '~type'?: { value: Value };
  '~options': Options;
}

type ColumnOf<Name, V> = Column<
  Name extends `${string}_at` ? Date : Exclude<V, null>,
  null extends V ? { nullable: true } : object
>;

type ColumnsOf<S extends z.ZodObject> = {
  [F in Exclude<keyof z.output<S>, Literals<S> | keyof RecordColumns>]: ColumnOf<F, z.output<S>[F]>;
};

/**
 * Columns for the fields of a record's schema, besides those of every record: `timestamptz` if the name ends in `_at`,
 * `text[]` for a list of texts, JSON for other lists, objects and maps: `jsonb`, or `json` where the table keeps the text
 * as it was sent. Override bigint columns, whose values are texts.
 */
export function columnsOf<S extends z.ZodObject>(schema: S): ColumnsOf<S> {
  const fields = fieldsOf(fieldOf(schema, 'output')).filter(
    ({ type, name }) => type !== 'constant' && !common.has(name),
  );
  return asColumns(Object.fromEntries(fields.map((field) => [field.name, columnFor(field)])));
}

const common: ReadonlySet<string> = new Set(['id', 'account_id', 'created_at', 'updated_at']);

function columnFor(field: Field) {
  const column = builderFor(field);
  return field.nullable || field.type === 'json' ? column.nullable() : column;
}

const jsonTypes: readonly Field['type'][] = ['list', 'object', 'map', 'json'];

function builderFor({ name, type, item }: Field) {
  if (name.endsWith('_at')) return p.datetime();
  if (type === 'date') return p.date();
  if (type === 'integer') return p.integer();
  if (type === 'number') return p.float();
  if (type === 'boolean') return p.boolean();
  if (type === 'text' || type === 'enum') return p.text();
  if (type === 'list' && (item?.type === 'text' || item?.type === 'enum')) return p.array().columnType('text[]');
  if (jsonTypes.includes(type)) return p.json<unknown>();
  throw new Error(`The field ${name} of type ${type} has no column: override it.`);
}

// `columnFor` makes a column for each field of the schema.
function asColumns<S extends z.ZodObject>(columns: object): ColumnsOf<S> {
  return columns as ColumnsOf<S>;
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

/** Finds a record as `findRecord` does. `assertVisible` throws `not_found` for one that the caller may not see. */
export function recordFinder<T extends RecordColumns & { company_id: string }>(
  entity: EntityName<T>,
  what: string,
  assertVisible: (context: Context, found: T | null, what: string) => T = assertAccessible,
) {
  return async (em: EntityManager, context: Context, id: string, lock = false): Promise<T> =>
    assertVisible(context, await findRecord(em, context, entity, id, lock), what);
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
