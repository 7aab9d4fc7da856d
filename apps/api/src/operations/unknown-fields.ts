import type { Warning } from '@finhook/contracts';
import { DomainError, nearestNames, pathOf, pointerOf, shorten } from '@finhook/core';
import { z } from 'zod';
import { isRecord } from '../is-record.ts';

/** Walks a value beside its schema and reports fields that the schema does not have. */
type Walker = (value: unknown, path: readonly PropertyKey[], found: Warning[]) => void;

const MAX_WARNINGS = 100;
const ignore: Walker = () => undefined;

/** The schema inside of optional, nullable and default wrappers. */
export function unwrapSchema(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapSchema(schema.unwrap());
  }
  return schema;
}

function compile(schema: unknown): Walker {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return walkArray(compile(inner.element));
  if (inner instanceof z.ZodObject) return walkObject(inner);
  if (inner instanceof z.ZodDiscriminatedUnion) return walkUnion(inner);
  return ignore;
}

function walkArray(item: Walker): Walker {
  if (item === ignore) return ignore;
  return (value, path, found) => {
    if (!Array.isArray(value)) return;
    for (let i = 0; i < value.length && found.length < MAX_WARNINGS; i++) item(value[i], [...path, i], found);
  };
}

function walkObject(schema: z.ZodObject): Walker {
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, compile(field)]));
  return (value, path, found) => {
    if (!isRecord(value)) return;
    for (const name in value) {
      if (found.length >= MAX_WARNINGS) return;
      const field = fields.get(name);
      if (field === undefined) report([...path, name], unsent(fields, value), found);
      else if (field !== ignore) field(value[name], [...path, name], found);
    }
  };
}

/** What the discriminator does not name is refused by the schema, so it has nothing to report here. */
function walkUnion(schema: z.ZodDiscriminatedUnion): Walker {
  const { discriminator } = schema.def;
  const walkers = new Map<unknown, Walker>();
  for (const option of schema.options) {
    const name: unknown = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
    if (name instanceof z.ZodLiteral) for (const value of name.values) walkers.set(value, compile(option));
  }
  return (value, path, found) => {
    if (isRecord(value)) walkers.get(value[discriminator])?.(value, path, found);
  };
}

/** Fields that a misspelled one may stand for: those that are not sent beside it. */
function unsent(fields: ReadonlyMap<string, Walker>, value: Record<string, unknown>): string[] {
  return [...fields.keys()].filter((name) => !Object.hasOwn(value, name));
}

function report(path: readonly PropertyKey[], candidates: readonly string[], found: Warning[]): void {
  if (found.length >= MAX_WARNINGS) return;
  const name = String(path.at(-1));
  const [nearest] = nearestNames(name, candidates);
  found.push({
    code: 'unknown_field',
    pointer: pointerOf(path),
    message:
      `${shorten(name, 64)} is not a field of this request and was ignored.` +
      (nearest === undefined ? '' : ` Did you mean ${nearest}?`),
  });
}

/** The rejection with the unknown fields in `warnings`: a misspelled field is often why another one is missing. */
export function withUnknownFields(error: unknown, warnings: readonly Warning[]): unknown {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed' || warnings.length === 0) return error;
  const { message: detail, fields, extra } = error;
  return new DomainError(error.code, { detail, fields, extra: { ...extra, warnings } });
}

/** A function that names the fields of an input which `schema` does not know, at most a hundred. */
export function compileUnknownFields(schema: z.ZodType): (input: unknown) => Warning[] {
  const walk = compile(schema);
  return (input) => {
    const found: Warning[] = [];
    walk(input, [], found);
    return found;
  };
}

/**
 * The schema that judges the value at an RFC 6901 pointer; undefined for a field that `schema` does not have. What is
 * below an open record is judged by the record.
 */
export function schemaAt(schema: unknown, pointer: string): unknown {
  let current = unwrapSchema(schema);
  for (const name of pathOf(pointer)) {
    if (current instanceof z.ZodArray) current = unwrapSchema(current.element);
    else if (!(current instanceof z.ZodObject)) return current;
    else if (Object.hasOwn(current.shape, name)) current = unwrapSchema(current.shape[name]);
    else return undefined;
  }
  return current;
}
