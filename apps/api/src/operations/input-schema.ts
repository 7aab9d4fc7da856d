import {
  type Field,
  fieldNamed,
  fieldOf,
  holdsSecret,
  isRecord,
  type Operation,
  type Warning,
} from '@finhook/contracts';
import { DomainError, nearestNames, pointerOf, truncate } from '@finhook/core';

type Path = readonly PropertyKey[];

export function inputFields({ variant, input }: Operation): readonly Field[] {
  return fieldOf(variant?.({}) ?? input, 'input').fields ?? [];
}

/** Undefined for an unknown field. Maps, unions and free JSON are the field of everything inside them. */
export function fieldAt(root: Field, path: Path): Field | undefined {
  let field = root;
  for (const part of path) {
    const inner = field.fields || field.type === 'list' ? (fieldNamed(field, String(part)) ?? field.item) : field;
    if (inner === undefined) return undefined;
    field = inner;
  }
  return field;
}

/** True if the value at a path is a secret, is in one or contains one: errors must not repeat it. */
export function isSecretAt(root: Field, path: Path): boolean {
  const [part, ...rest] = path;
  if (part === undefined || root.secret) return holdsSecret(root);
  return membersAt(root, part).some((field) => isSecretAt(field, rest));
}

/** The field of an object, the item of a list or map, and these of each member of a union, which may be the one meant. */
function membersAt(field: Field, part: PropertyKey): Field[] {
  const own = fieldNamed(field, String(part)) ?? field.item;
  const others = (field.variants ?? []).flatMap((variant) => membersAt(variant, part));
  return own === undefined ? others : [own, ...others];
}

const MAX_WARNINGS = 100;

interface Search {
  path: PropertyKey[];
  found: Warning[];
  /** The fields of each object by name; the rows of a batch share one. */
  byName: Map<readonly Field[], ReadonlyMap<string, Field>>;
}

export function findUnknownFields(root: Field, input: unknown): Warning[] {
  const search: Search = { path: [], found: [], byName: new Map() };
  walk(root, input, search);
  return search.found;
}

function walk(field: Field, value: unknown, search: Search): void {
  const { fields, item } = field;
  const { path, found } = search;
  const below = (inner: Field, part: PropertyKey, partValue: unknown): void => {
    path.push(part);
    walk(inner, partValue, search);
    path.pop();
  };
  if (field.type === 'list' && item && Array.isArray(value)) {
    for (let i = 0; i < value.length && found.length < MAX_WARNINGS; i++) below(item, i, value[i]);
  } else if (isRecord(value)) {
    const variant = variantOf(field, value);
    if (variant) walk(variant, value, search);
    if (fields === undefined) return;
    const named = namesOf(fields, search);
    for (const name in value) {
      if (found.length >= MAX_WARNINGS) return;
      const inner = named.get(name) ?? item;
      if (inner === undefined) found.push(unknownField([...path, name], fields, value));
      else below(inner, name, value[name]);
    }
  }
}

/** The schema itself rejects a value without a matching variant. */
function variantOf({ discriminator, variants }: Field, value: Record<string, unknown>): Field | undefined {
  const kind = discriminator === undefined ? undefined : value[discriminator];
  if (discriminator === undefined || kind === undefined) return undefined;
  return variants?.find((variant) => fieldNamed(variant, discriminator)?.constant === kind);
}

function namesOf(fields: readonly Field[], { byName }: Search): ReadonlyMap<string, Field> {
  const named = byName.get(fields) ?? new Map(fields.map((field) => [field.name, field]));
  byName.set(fields, named);
  return named;
}

/** Suggests the nearest name among the absent fields. */
function unknownField(path: Path, fields: readonly Field[], value: Record<string, unknown>): Warning {
  const name = String(path.at(-1));
  const unsent = fields.map((field) => field.name).filter((each) => !Object.hasOwn(value, each));
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
