import type { AnyEventType } from './events/index.ts';
import { type Field, type FieldType, fieldOf, fieldsOf, holdsSecret } from './fields.ts';
import type { Operation } from './operation.ts';
import { type Operations, operationList } from './operations/index.ts';
import type { Permission, Scope } from './records/api-key.ts';

/** A field of an input, without the fields inside it. */
export interface CatalogueField extends Pick<Field, 'name' | 'min' | 'max' | 'unit' | 'caselessKeys' | 'description'> {
  type: CatalogueType;
  required?: true | undefined;
  nullable?: true | undefined;
  options?: readonly string[] | undefined;
  /** Type of a list's items, if they are not text. */
  items?: CatalogueType | undefined;
}
export type CatalogueType = Exclude<FieldType, 'constant' | 'map' | 'union'> | 'text_or_object';

export interface CatalogueOperation {
  id: string;
  group: string;
  kind: Operation['kind'];
  summary: string;
  http: { method: string; path: string };
  permission: Permission | undefined;
  scopes: readonly Scope[];
  /** Includes event types that a job emits later. */
  emits: readonly AnyEventType[];
  secret?: true | undefined;
  input: readonly CatalogueField[];
}

export { pathIds } from './operation.ts';
export { derivedFrom, jobEvents } from './operations/groups.ts';
export { systemActions } from './records/activity.ts';
export { idNouns } from './scalars.ts';

type Join<Path extends string, Name extends string> = Path extends '' ? Name : `${Path}.${Name}`;
type IsMutation<Op> = Op extends { kind: 'mutation' }
  ? true
  : Op extends { kind: 'query' } | { http: { method: 'GET' } }
    ? false
    : true;
type IdIn<Tree, Path extends string = ''> = {
  [Name in keyof Tree & string]: Tree[Name] extends { http: object }
    ? Join<Path, Name>
    : IdIn<Tree[Name], Join<Path, Name>>;
}[keyof Tree & string];
type MutationIn<Tree, Path extends string = ''> = {
  [Name in keyof Tree & string]: Tree[Name] extends { http: object }
    ? IsMutation<Tree[Name]> extends true
      ? Join<Path, Name>
      : never
    : MutationIn<Tree[Name], Join<Path, Name>>;
}[keyof Tree & string];

export type OperationId = IdIn<Operations>;
export type MutationId = MutationIn<Operations>;

function typeOf({ type, variants = [] }: Field): CatalogueType {
  switch (type) {
    case 'constant':
      return 'json';
    case 'map':
      return 'object';
    case 'union':
      // Operations have no other union with a text.
      return variants.some((each) => each.type === 'text') ? 'text_or_object' : 'json';
    default:
      return type;
  }
}

function catalogueField(field: Field): CatalogueField {
  const { name, required, nullable, item, min, max, unit, caselessKeys, description } = field;
  const items = field.type === 'list' && item ? typeOf(item) : 'text';
  return {
    name,
    type: typeOf(field),
    required: required || undefined,
    nullable: nullable || undefined,
    options: field.options ?? item?.options,
    items: items === 'text' ? undefined : items,
    min,
    max,
    unit,
    caselessKeys,
    description,
  };
}

/** The operations table as JSON, for programs that must not load the schemas. */
export function catalogue(): readonly CatalogueOperation[] {
  return operationList.map((operation) => {
    const input = fieldsOf(fieldOf(operation.input, 'input'));
    return {
      id: operation.id,
      group: operation.id.split('.')[0] ?? '',
      kind: operation.kind,
      summary: operation.summary,
      http: { method: operation.http.method, path: operation.http.path },
      permission: operation.permission,
      scopes: operation.scopes,
      emits: [...operation.emits, ...(operation.emitsLater ?? [])],
      secret:
        operation.secretOutput === true || input.some((field) => field.required && holdsSecret(field)) || undefined,
      input: input.map(catalogueField),
    };
  });
}
