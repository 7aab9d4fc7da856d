import { z } from 'zod';
import { isRecord } from '../http/read-body.ts';

/** True if parsing would return the value unchanged: valid, without unknown fields, no default to fill in. */
export type IsExact = (value: unknown) => boolean;

interface Part {
  isExact: IsExact;
  staysAbsent: boolean;
}
interface Parts {
  fields: ReadonlyMap<string, Part> | undefined;
  item: Part | undefined;
}

type Check = z.core.$ZodCheck<unknown>;

/**
 * Recognizes values that zod would only copy, without zod's allocations per field, which are half of the cost of a
 * request with 500 rows. It runs the schema's own checks and uses zod for other kinds of schema. A value that is not
 * exact may still be valid. `unwrapped` is the result for the schema inside a wrapper.
 */
export function compileIsExact(schema: z.core.$ZodType, parts: Parts, unwrapped: IsExact | undefined): IsExact {
  const isKind = unwrapped === undefined ? compileKind(schema, parts) : compileWrapper(schema, unwrapped);
  return isKind === undefined ? askZod(schema) : allOf([isKind, ...checksOf(schema).map(compileCheck)]);
}

/** Ignores the schema's checks; undefined for a kind that only zod knows. */
function compileKind(schema: z.core.$ZodType, { fields, item }: Parts): IsExact | undefined {
  if (schema instanceof z.core.$ZodString && schema._zod.def.coerce !== true) return isString;
  if (schema instanceof z.core.$ZodNumber && schema._zod.def.coerce !== true) return Number.isFinite;
  if (item !== undefined) return (value) => Array.isArray(value) && value.every((entry) => item.isExact(entry));
  return fields && everyField(fields);
}

function compileWrapper(schema: z.core.$ZodType, unwrapped: IsExact): IsExact | undefined {
  if (schema instanceof z.ZodNullable) return (value) => value === null || unwrapped(value);
  if (!(schema instanceof z.ZodOptional && staysAbsent(schema))) return undefined;
  return (value) => value === undefined || unwrapped(value);
}

function everyField(fields: ReadonlyMap<string, Part>): IsExact {
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
export function staysAbsent(field: z.core.$ZodType): boolean {
  const result = z.core.safeParse(field, undefined);
  return field._zod.optin === 'optional' && result.success && result.data === undefined;
}

/** A format schema is itself a check. */
function checksOf(schema: z.core.$ZodType): Check[] {
  const { checks = [] } = schema._zod.def;
  return anyValue(schema instanceof z.core.$ZodCheck ? [schema, ...checks] : checks);
}

// zod types a check by what it takes; the kind of the value is tested before a check runs.
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
