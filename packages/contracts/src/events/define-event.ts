import { z } from 'zod';
import { type Field, fieldOf, fieldsOf } from '../fields.ts';
import { sampleId } from '../scalars.ts';

export const eventGroups = [
  'Companies',
  'Agents',
  'Filings and compliance',
  'API keys',
  'Cases and directives',
  'Treasury and bank',
  'Agent runtime',
  'Webhook hygiene',
  'Operational',
] as const;
export type EventGroup = (typeof eventGroups)[number];

/** Generators create a class per tag, so none may equal a tag of operations, ignoring case and spaces. */
export const eventGroupTags: Record<EventGroup, { name: string; description: string }> = {
  Companies: { name: 'Company events', description: 'Sent when a company or its formation changes.' },
  Agents: { name: 'Agent events', description: 'Sent when an agent or its binding to a company changes.' },
  'Filings and compliance': {
    name: 'Filing events',
    description: 'Sent when filings or the compliance matrix change.',
  },
  'API keys': { name: 'API key events', description: 'Sent when an API key is created or revoked.' },
  'Cases and directives': { name: 'Case events', description: 'Sent when a case is commented or a directive moves.' },
  'Treasury and bank': {
    name: 'Treasury events',
    description: 'Sent when balances, transactions or connections change.',
  },
  'Agent runtime': {
    name: 'Agent runtime events',
    description: 'Sent when agents act, ask for approval or are flagged.',
  },
  'Webhook hygiene': { name: 'Webhook events', description: 'Sent when deliveries to an endpoint fail repeatedly.' },
  Operational: { name: 'Operational events', description: 'Sent to the endpoints that ask for them.' },
};

/** Released data schemas only grow: no field is removed, narrowed or made optional. */
export interface EventDefinition {
  group: EventGroup;
  description: string;
  data: z.ZodObject;
  /** A valid `data`, for test sends. */
  sample: Record<string, unknown>;
  thin: ThinForm;
}

/** Where a field of the thin form comes from: a field of `data`, or `key` of the object or of each object in that field. */
type ThinSource = readonly [field: string] | readonly [field: string, key: string];

interface ThinForm<T extends z.ZodObject = z.ZodObject> {
  schema: T;
  sources: Readonly<Record<string, ThinSource>>;
}

interface ThinId<T extends z.ZodType = z.ZodType> {
  source: ThinSource;
  schema: T;
}

/** The ID of the object in a field of `data`; null if that is null. */
export function idIn<T extends z.ZodType>(field: string, key: string, schema: T): ThinId<z.ZodNullable<T>> {
  return { source: [field, key], schema: schema.nullable().describe(`\`${key}\` of \`${field}\`; null without one.`) };
}

/** The IDs of the objects in a list of `data`. */
export function idsIn<T extends z.ZodType>(field: string, schema: T): ThinId<z.ZodArray<T>> {
  return { source: [field, 'id'], schema: z.array(schema).describe(`\`id\` of each of \`${field}\`, in their order.`) };
}

type FieldName<T extends z.ZodObject> = keyof T['shape'] & string;
type ThinIds = Readonly<Record<string, ThinId>>;
type ThinShape<T extends z.ZodObject, F extends FieldName<T>, I extends ThinIds> = Pick<T['shape'], F> &
  ([I] extends [never] ? unknown : { [Name in keyof I]: I[Name]['schema'] });

interface Entry<T extends z.ZodObject> extends Pick<EventDefinition, 'group' | 'description'> {
  data: T;
  sample: z.output<T>;
}

/** Fields of `data` that a thin event keeps, and its own IDs: no content of the caller. */
interface Thin<T extends z.ZodObject, F extends FieldName<T>, I extends ThinIds> {
  thin: readonly F[];
  thinIds?: I;
}

type Defined<T extends z.ZodObject, F extends FieldName<T>, I extends ThinIds> = Entry<T> & {
  thin: ThinForm<z.ZodObject<ThinShape<T, F, I>>>;
};

export function defineEvent<T extends z.ZodObject, const F extends FieldName<T>, I extends ThinIds = never>({
  thin,
  thinIds,
  ...definition
}: Entry<T> & Thin<T, F, I>): Defined<T, F, I> {
  const ids = Object.entries<ThinId>(thinIds ?? {});
  const sources: [string, ThinSource][] = [
    ...thin.map((field): [string, ThinSource] => [field, [field]]),
    ...ids.map(([name, { source }]): [string, ThinSource] => [name, source]),
  ];
  const shape: Readonly<Record<string, z.ZodType>> = definition.data.shape;
  const schemas = [
    ...thin.map((field): [string, z.ZodType | undefined] => [field, shape[field]]),
    ...ids.map(([name, { schema }]): [string, z.ZodType] => [name, schema]),
  ];
  return { ...definition, thin: { schema: thinObject<T, F, I>(schemas), sources: Object.fromEntries(sources) } };
}

function thinObject<T extends z.ZodObject, F extends FieldName<T>, I extends ThinIds>(
  schemas: readonly [string, z.ZodType | undefined][],
) {
  return z.object(Object.fromEntries(schemas)) as z.ZodObject<ThinShape<T, F, I>>;
}

export const at = '2026-03-02T09:30:00.000Z';
export const sampleActor = { type: 'api_key' as const, id: sampleId('key'), name: 'Backend' };
export const sampleApprovalActor = { ...sampleActor, person_id: sampleId('key') };

/** A record with `fields` and the schema's ids, type and times. Other fields are null or absent. */
export function sampleOf<T extends z.ZodObject>(schema: T, fields: Partial<z.output<T>>): z.output<T> {
  return completed<T>({ ...impliedFields(schema), ...fields });
}

function impliedFields(schema: z.ZodObject): Record<string, unknown> {
  const required = fieldsOf(fieldOf(schema, 'output')).filter((field) => field.required);
  const implied = required.map((field): [string, unknown] => [field.name, impliedValue(field)]);
  return Object.fromEntries(implied.filter(([, value]) => value !== undefined));
}

function impliedValue({ type, nullable, constant, examples }: Field): unknown {
  if (nullable) return null;
  return type === 'constant' ? constant : type === 'instant' ? at : examples?.[0];
}

function completed<T extends z.ZodObject>(sample: Record<string, unknown>): z.output<T> {
  return sample as z.output<T>;
}
