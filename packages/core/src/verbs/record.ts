import { type FieldType, fieldOf, fieldsOf } from '@finhook/contracts';
import type { z } from 'zod';
import { toTimestamp } from '../time/clock.ts';

type Output<S extends z.ZodObject> = z.output<S>;

export type Literals<S extends z.ZodObject> = {
  [F in keyof S['shape']]: S['shape'][F] extends z.ZodLiteral ? F : never;
}[keyof S['shape']];

/** A stored value: a timestamp as Date or text, a bigint as text. */
type Stored<V> = V extends number ? V | string : string extends V ? V | Date : V;

type Fields<T, Given extends PropertyKey> = {
  readonly [F in keyof T as F extends Given ? never : null extends T[F] ? never : F]: Stored<T[F]>;
} & {
  readonly [F in keyof T as F extends Given ? never : null extends T[F] ? F : never]?: Stored<T[F]> | null | undefined;
};

/** The fields of the schema, except literals and those given separately. */
type Source<S extends z.ZodObject, Given extends PropertyKey> = Fields<Output<S>, Given | Literals<S>>;

/**
 * A row with the schema's field names: dates, timestamps and bigints are text. `Bigints` are fields with a bigint
 * column, `Absent` fields without a column.
 */
export type RowOf<
  S extends z.ZodObject,
  Bigints extends keyof Output<S> = never,
  Absent extends keyof Output<S> = never,
> = {
  [F in keyof Output<S> as F extends Absent | Literals<S> ? never : F]: F extends Bigints
    ? string | Extract<Output<S>[F], null>
    : Output<S>[F];
};

interface Column {
  readonly name: string;
  readonly constant: unknown;
  /** The value of an absent field. */
  readonly empty: null | undefined;
  readonly convert: ((value: unknown) => unknown) | undefined;
}

const plans = new WeakMap<z.ZodObject, readonly Column[]>();

/** Converts an entity or row to the API's record, in the schema's order. `extra` overrides the row. */
export function record<S extends z.ZodObject, Given extends keyof Output<S> = never>(
  schema: S,
  row: Source<S, Given>,
  extra?: Pick<Output<S>, Given>,
): Output<S> {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = planOf(schema);
    plans.set(schema, plan);
  }
  const result: Record<string, unknown> = {};
  for (const { name, constant, empty, convert } of plan) {
    if (extra !== undefined && name in extra) {
      result[name] = Reflect.get(extra, name);
      continue;
    }
    if (constant !== undefined) {
      result[name] = constant;
      continue;
    }
    const value: unknown = Reflect.get(row, name) ?? empty;
    if (value === undefined) continue;
    result[name] = convert === undefined || value === null ? value : convert(value);
  }
  return asRecord(result);
}

// The types of `row` and `extra` together demand every field of the schema.
function asRecord<S extends z.ZodObject>(fields: Record<string, unknown>): Output<S> {
  return fields as Output<S>;
}

function planOf(schema: z.ZodObject): Column[] {
  return fieldsOf(fieldOf(schema, 'output')).map(({ name, type, constant, required, nullable }) => ({
    name,
    constant,
    empty: nullable || (type === 'json' && required) ? null : undefined,
    convert: converterOf(type),
  }));
}

function converterOf(type: FieldType): Column['convert'] {
  switch (type) {
    case 'integer':
    case 'number':
      return Number;
    case 'instant':
      return toText((at) => at.toISOString(), toTimestamp);
    case 'date':
      return toText(
        (at) => at.toISOString().slice(0, 10),
        (day) => day,
      );
    default:
      return undefined;
  }
}

function toText(ofDate: (value: Date) => string, ofText: (value: string) => string): Column['convert'] {
  return (value) => (value instanceof Date ? ofDate(value) : typeof value === 'string' ? ofText(value) : value);
}
