import { isRecord } from '@finhook/contracts';
import { z } from 'zod';

/** True if parsing would return the value unchanged: valid, without unknown fields, no default to fill in. */
export type IsExact = (value: unknown) => boolean;

type Check = z.core.$ZodCheck<unknown>;

/** The schema inside optional, nullable and default wrappers. */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) ? unwrapSchema(schema.unwrap()) : schema;
}

function isWrapper(schema: z.core.$ZodType): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
}

/**
 * Recognizes values that zod would only copy, without its allocations per field, which are half of the cost of a request
 * with 500 rows. A value that is not exact may still be valid.
 */
export function compileIsExact(schema: z.core.$ZodType): IsExact {
  const isKind = isWrapper(schema) ? compileWrapper(schema) : compileKind(schema);
  return isKind === undefined ? askZod(schema) : allOf([isKind, ...checksOf(schema).map(compileCheck)]);
}

/** Ignores the schema's checks; undefined for a kind that only zod knows. */
function compileKind(schema: z.core.$ZodType): IsExact | undefined {
  if (schema instanceof z.core.$ZodString && schema._zod.def.coerce !== true) return isString;
  if (schema instanceof z.core.$ZodNumber && schema._zod.def.coerce !== true) return Number.isFinite;
  if (schema instanceof z.ZodArray) {
    const isExact = compileIsExact(schema.element);
    return (value) => Array.isArray(value) && value.every((entry) => isExact(entry));
  }
  return schema instanceof z.ZodObject ? everyField(schema) : undefined;
}

function compileWrapper(schema: z.ZodOptional | z.ZodNullable | z.ZodDefault): IsExact | undefined {
  if (schema instanceof z.ZodDefault || (schema instanceof z.ZodOptional && !staysAbsent(schema))) return undefined;
  const unwrapped = compileIsExact(schema.unwrap());
  const empty = schema instanceof z.ZodNullable ? null : undefined;
  return (value) => value === empty || unwrapped(value);
}

interface Part {
  isExact: IsExact;
  staysAbsent: boolean;
}

function everyField({ shape }: z.ZodObject): IsExact {
  const parts = Object.entries<z.core.$ZodType>(shape).map(([name, field]): [string, Part] => [
    name,
    { isExact: compileIsExact(field), staysAbsent: staysAbsent(field) },
  ]);
  const fields = new Map(parts);
  const required = [...fields.values()].filter((field) => !field.staysAbsent).length;
  return (value) => {
    if (!isRecord(value)) return false;
    let found = 0;
    for (const name in value) {
      const field = fields.get(name);
      if (field === undefined || !field.isExact(value[name])) return false;
      if (!field.staysAbsent) found++;
    }
    return found === required;
  };
}

function askZod(schema: z.core.$ZodType): IsExact {
  return (value) => {
    // zod would parse it twice: here, and with the whole input afterwards.
    if (typeof value === 'object' && value !== null) return false;
    const result = z.core.safeParse(schema, value);
    return result.success && Object.is(result.data, value);
  };
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** True if the field may be absent and has no default. */
function staysAbsent(field: z.core.$ZodType): boolean {
  const result = z.core.safeParse(field, undefined);
  return field._zod.optin === 'optional' && result.success && result.data === undefined;
}

/** A format schema is itself a check. */
function checksOf(schema: z.core.$ZodType): Check[] {
  const { checks = [] } = schema._zod.def;
  return anyValue(schema instanceof z.core.$ZodCheck ? [schema, ...checks] : checks);
}

// The type of the value is tested before a check runs.
function anyValue(checks: readonly z.core.$ZodCheck[]): Check[] {
  return checks as Check[];
}

function lengthOf(value: unknown): number {
  return isString(value) || Array.isArray(value) ? value.length : Number.NaN;
}

function compileCheck(check: Check): IsExact {
  if (check instanceof z.core.$ZodCheckMinLength) {
    const { minimum } = check._zod.def;
    return (value) => lengthOf(value) >= minimum;
  }
  if (check instanceof z.core.$ZodCheckMaxLength) {
    const { maximum } = check._zod.def;
    return (value) => lengthOf(value) <= maximum;
  }
  const { when } = check._zod.def;
  const payload: z.core.ParsePayload = { value: undefined, issues: [] };
  return (value) => {
    payload.value = value;
    if (when?.(payload) === false) return true;
    const pending = check._zod.check(payload);
    const isPassed = pending === undefined && payload.issues.length === 0 && Object.is(payload.value, value);
    if (payload.issues.length > 0) payload.issues = [];
    return isPassed;
  };
}

function allOf(tests: readonly IsExact[]): IsExact {
  const [first, ...others] = tests;
  if (first !== undefined && others.length === 0) return first;
  return (value) => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}
