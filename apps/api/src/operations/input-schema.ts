import { isSecret, keyLimit, type Operation, type Warning } from '@finhook/contracts';
import { DomainError, nearestNames, pointerOf, truncate } from '@finhook/core';
import { z } from 'zod';
import { isRecord } from '../http/read-body.ts';
import { compileIsExact, type IsExact, staysAbsent } from './fast-validate.ts';

type Path = readonly PropertyKey[];

export interface SchemaNode {
  /** The schema without its optional, nullable and default wrappers. */
  schema: z.core.$ZodType;
  /** Includes the wrappers. */
  isExact: IsExact;
  staysAbsent: boolean;
  fields: ReadonlyMap<string, SchemaNode> | undefined;
  item: SchemaNode | undefined;
  /** Set for an open record; `max` is its maximum number of keys. */
  entries: { value: SchemaNode; max: number | undefined } | undefined;
  /** Set for a discriminated union, by the value of its discriminator. */
  options: { discriminator: string; nodes: ReadonlyMap<unknown, SchemaNode> } | undefined;
  isSecret: boolean;
  holdsSecret: boolean;
}

type Parts = Pick<SchemaNode, 'fields' | 'item' | 'entries' | 'options'>;

/** The schema inside optional, nullable and default wrappers. */
export function unwrapSchema(schema: unknown): unknown {
  return isWrapper(schema) ? unwrapSchema(schema.unwrap()) : schema;
}

function isWrapper(schema: unknown): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
}

export function shapeOf(operation: Operation): Record<string, unknown> {
  const schema = operation.variant?.({}) ?? operation.input;
  return schema instanceof z.ZodObject ? schema.shape : {};
}

export function compileSchema(schema: z.core.$ZodType): SchemaNode {
  const inner = isWrapper(schema) ? compileSchema(schema.unwrap()) : undefined;
  const parts = inner ?? partsOf(schema);
  const marked = inner?.isSecret ?? isSecret(schema);
  const below = [parts.item, ...(parts.fields?.values() ?? [])];
  // One literal for all kinds: nodes of one shape keep the reading of their properties fast.
  return {
    schema: inner?.schema ?? schema,
    isExact: compileIsExact(schema, parts, inner?.isExact),
    staysAbsent: staysAbsent(schema),
    fields: parts.fields,
    item: parts.item,
    entries: parts.entries,
    options: parts.options,
    isSecret: marked,
    holdsSecret: marked || below.some((node) => node?.holdsSecret ?? false),
  };
}

function partsOf(schema: z.core.$ZodType): Parts {
  const none: Parts = { fields: undefined, item: undefined, entries: undefined, options: undefined };
  if (schema instanceof z.ZodObject) return { ...none, fields: compileFields(schema.shape) };
  if (schema instanceof z.ZodArray) return { ...none, item: compileSchema(schema.element) };
  if (schema instanceof z.ZodDiscriminatedUnion) return { ...none, options: compileOptions(schema) };
  if (!(schema instanceof z.ZodRecord)) return none;
  return { ...none, entries: { value: compileSchema(schema.valueType), max: keyLimit(schema) } };
}

function compileFields(shape: z.core.$ZodShape): ReadonlyMap<string, SchemaNode> {
  return new Map(Object.entries(shape).map(([name, field]) => [name, compileSchema(field)]));
}

function compileOptions({ def, options }: z.ZodDiscriminatedUnion): SchemaNode['options'] {
  const nodes = new Map<unknown, SchemaNode>();
  for (const option of options) {
    const name: unknown = option instanceof z.ZodObject ? option.shape[def.discriminator] : undefined;
    if (name instanceof z.ZodLiteral) for (const value of name.values) nodes.set(value, compileSchema(option));
  }
  return { discriminator: def.discriminator, nodes };
}

/**
 * The node that validates the value at a path; undefined for a field that the schema does not have. An open record
 * validates its values itself.
 */
export function nodeAt(root: SchemaNode, path: Path): SchemaNode | undefined {
  let node = root;
  for (const part of path) {
    const next = node.item ?? (node.fields ? node.fields.get(String(part)) : node);
    if (next === undefined) return undefined;
    node = next;
  }
  return node;
}

/** True if the value at a path is a secret, is in one or contains one: errors must not repeat it. */
export function isSecretAt(root: SchemaNode, path: Path): boolean {
  let node: SchemaNode | undefined = root;
  for (const part of path) {
    node = node?.item ?? node?.entries?.value ?? node?.fields?.get(String(part));
    if (node?.isSecret) return true;
  }
  return node?.holdsSecret ?? false;
}

const MAX_WARNINGS = 100;

/** Warnings about the fields of an input that its schema does not have, at most a hundred. */
export function findUnknownFields(root: SchemaNode, input: unknown): Warning[] {
  const found: Warning[] = [];
  walk(root, input, [], found);
  return found;
}

function walk(node: SchemaNode, value: unknown, path: PropertyKey[], found: Warning[]): void {
  const { fields, item, options } = node;
  const below = (inner: SchemaNode, part: PropertyKey, partValue: unknown): void => {
    path.push(part);
    walk(inner, partValue, path, found);
    path.pop();
  };
  if (item !== undefined && Array.isArray(value)) {
    for (let i = 0; i < value.length && found.length < MAX_WARNINGS; i++) below(item, i, value[i]);
  } else if (isRecord(value)) {
    // The schema itself rejects an unknown discriminator.
    if (options !== undefined) {
      const option = options.nodes.get(value[options.discriminator]);
      if (option !== undefined) walk(option, value, path, found);
    }
    if (fields === undefined) return;
    for (const name in value) {
      if (found.length >= MAX_WARNINGS) return;
      const field = fields.get(name);
      if (field === undefined) found.push(unknownField([...path, name], fields, value));
      else below(field, name, value[name]);
    }
  }
}

/** Suggests the nearest name among the absent fields. */
function unknownField(path: Path, fields: ReadonlyMap<string, SchemaNode>, value: Record<string, unknown>): Warning {
  const name = String(path.at(-1));
  const unsent = [...fields.keys()].filter((field) => !Object.hasOwn(value, field));
  const [nearest] = nearestNames(name, unsent);
  const ignored = `${truncate(name, 64)} is not a field of this request and was ignored.`;
  return {
    code: 'unknown_field',
    pointer: pointerOf(path),
    message: nearest === undefined ? ignored : `${ignored} Did you mean ${nearest}?`,
  };
}

export function unknownParameter(name: string, known: readonly string[]): DomainError {
  const list = known.length > 0 ? `This operation takes ${known.join(', ')}.` : 'This operation takes none.';
  const detail = `The query parameter ${truncate(name, 64)} is unknown. ${list}`;
  return new DomainError('unknown_parameter', { detail });
}
