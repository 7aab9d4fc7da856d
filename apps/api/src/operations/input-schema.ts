import { type Field, fieldNamed, fieldOf, isRecord, type Operation, type Warning } from '@finhook/contracts';
import { DomainError, nearestNames, pointerOf, truncate } from '@finhook/core';

type Path = readonly PropertyKey[];

export function inputFields({ variant, input }: Operation): readonly Field[] {
  return fieldOf(variant?.({}) ?? input, 'input').fields ?? [];
}

/** Undefined for an unknown field. Maps, unions and free JSON are the field of everything inside them. */
export function fieldAt(root: Field, path: Path): Field | undefined {
  let field = root;
  for (const part of path) {
    const inner = field.fields ? fieldNamed(field, String(part)) : field.type === 'list' ? field.item : field;
    if (inner === undefined) return undefined;
    field = inner;
  }
  return field;
}

/** True if the value at a path is a secret, is in one or contains one: errors must not repeat it. */
export function isSecretAt(root: Field, path: Path): boolean {
  let field: Field | undefined = root;
  for (const part of path) {
    field &&= field.item ?? fieldNamed(field, String(part));
    if (field?.secret) return true;
  }
  return field !== undefined && holdsSecret(field);
}

function holdsSecret({ secret, item, fields = [] }: Field): boolean {
  return secret || (item !== undefined && holdsSecret(item)) || fields.some(holdsSecret);
}

const MAX_WARNINGS = 100;

export function findUnknownFields(root: Field, input: unknown): Warning[] {
  const found: Warning[] = [];
  walk(root, input, [], found);
  return found;
}

function walk(field: Field, value: unknown, path: PropertyKey[], found: Warning[]): void {
  const { fields, item, variants } = field;
  const below = (inner: Field, part: PropertyKey, partValue: unknown): void => {
    path.push(part);
    walk(inner, partValue, path, found);
    path.pop();
  };
  if (field.type === 'list' && item && Array.isArray(value)) {
    for (let i = 0; i < value.length && found.length < MAX_WARNINGS; i++) below(item, i, value[i]);
  } else if (isRecord(value)) {
    const variant = variants?.find((each) => isDiscriminated(each, value));
    if (variant) walk(variant, value, path, found);
    if (fields === undefined) return;
    for (const name in value) {
      if (found.length >= MAX_WARNINGS) return;
      const inner = fieldNamed(field, name);
      if (inner === undefined) found.push(unknownField([...path, name], fields, value));
      else below(inner, name, value[name]);
    }
  }
}

/** The schema itself rejects a value without a matching variant. */
function isDiscriminated({ fields = [] }: Field, value: Record<string, unknown>): boolean {
  return fields.some(({ type, name, constant }) => type === 'constant' && value[name] === constant);
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
