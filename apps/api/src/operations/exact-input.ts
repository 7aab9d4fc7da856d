import { z } from 'zod';
import { isRecord } from '../is-record.ts';

/** Whether its schema would give a value back as it is: valid, without unknown fields, with nothing to fill in. */
export type IsExact = (value: unknown) => boolean;

type Check = z.core.$ZodCheck<unknown>;

/**
 * Recognises what zod would only copy, without the payload and the list of faults that zod makes for each field: for 500
 * rows those are half of what a request allocates. It runs the schema's own checks, and asks zod about kinds of schema that
 * it does not know. Of a value that is not exact zod alone can tell whether and why it is refused.
 */
export function compileIsExact(schema: z.core.$ZodType): IsExact {
  const ofKind = compileKind(schema);
  return ofKind === undefined ? askZod(schema) : allOf([ofKind, ...checksOf(schema).map(passes)]);
}

/** The schema without its checks; undefined for a kind that only zod knows. */
function compileKind(schema: z.core.$ZodType): IsExact | undefined {
  if (schema instanceof z.ZodOptional && staysAbsent(schema)) {
    return absentOr(undefined, compileIsExact(schema.unwrap()));
  }
  if (schema instanceof z.ZodNullable) return absentOr(null, compileIsExact(schema.unwrap()));
  if (schema instanceof z.core.$ZodString && schema._zod.def.coerce !== true) return isString;
  if (schema instanceof z.core.$ZodNumber && schema._zod.def.coerce !== true) return Number.isFinite;
  if (schema instanceof z.ZodArray) return everyItem(compileIsExact(schema.element));
  if (schema instanceof z.ZodObject) return everyField(schema);
  return undefined;
}

function askZod(schema: z.core.$ZodType): IsExact {
  return (value) => {
    // zod would copy it, and the whole input goes through zod then: asking here would parse it twice.
    if (typeof value === 'object' && value !== null) return false;
    const result = z.core.safeParse(schema, value);
    return result.success && Object.is(result.data, value);
  };
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function absentOr(absent: null | undefined, isExact: IsExact): IsExact {
  return (value) => value === absent || isExact(value);
}

function everyItem(isExact: IsExact): IsExact {
  return (value) => Array.isArray(value) && value.every((item) => isExact(item));
}

function everyField(schema: z.ZodObject): IsExact {
  const shape: z.core.$ZodShape = schema.shape;
  const fields = new Map(
    Object.entries(shape).map(([name, field]) => [
      name,
      { isExact: compileIsExact(field), isRequired: !staysAbsent(field) },
    ]),
  );
  const required = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  return (value) => {
    if (!isRecord(value)) return false;
    let found = 0;
    for (const name in value) {
      const field = fields.get(name);
      if (field === undefined || !field.isExact(value[name])) return false;
      if (field.isRequired) found++;
    }
    return found === required;
  };
}

/** Whether a field may be missing, and nothing is filled in for it. */
function staysAbsent(field: z.core.$ZodType): boolean {
  const result = z.core.safeParse(field, undefined);
  return field._zod.optin === 'optional' && result.success && result.data === undefined;
}

/** A schema of a format is a check of its own. */
function checksOf(schema: z.core.$ZodType): Check[] {
  const { checks = [] } = schema._zod.def;
  return anyValue(schema instanceof z.core.$ZodCheck ? [schema, ...checks] : checks);
}

// zod types a check by what it takes; here the test of the kind has been made when a check is run.
function anyValue(checks: readonly z.core.$ZodCheck[]): Check[] {
  return checks as Check[];
}

function lengthOf(value: unknown): number {
  return isString(value) || Array.isArray(value) ? value.length : Number.NaN;
}

function passes(check: Check): (value: unknown) => boolean {
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
