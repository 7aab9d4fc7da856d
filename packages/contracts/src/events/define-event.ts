import { z } from 'zod';
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

/**
 * Tags of the webhooks in the OpenAPI document. Generators create a class per tag, so none may equal a tag of
 * operations, ignoring case and spaces.
 */
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

/**
 * One entry of the events catalogue. Released data schemas only grow: no field is removed, narrowed or made optional.
 */
export interface EventDefinition {
  group: EventGroup;
  description: string;
  data: z.ZodObject;
  /** A valid `data`, which test sends use. */
  sample: Record<string, unknown>;
}

export const changeFields = {
  changed: z.array(z.string()).describe('Names of the fields that changed.'),
  previous: z.record(z.string(), z.unknown()).describe('Previous value of each changed field.'),
};

type Entry<T> = Omit<EventDefinition, 'data' | 'sample'> & { data: T; sample: z.output<T> };

export function defineEvent<T extends z.ZodObject>(definition: Entry<T>): Entry<T> {
  return definition;
}

export const at = '2026-03-02T09:30:00.000Z';
export const sampleActor = { type: 'api_key' as const, id: sampleId('key'), name: 'Backend' };

/**
 * A record of `schema` with `fields`. The others follow from it: ids, type and times, null for what may be null, nothing
 * for what may be absent.
 */
export function sampleOf<T extends z.ZodObject>(schema: T, fields: Partial<z.output<T>>): z.output<T> {
  return completed<T>({ ...impliedFields(schema), ...fields });
}

function impliedFields({ shape }: { shape: Readonly<Record<string, z.ZodType>> }): Record<string, unknown> {
  const implied: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    const value = impliedValue(field);
    if (value !== undefined) implied[name] = value;
  }
  return implied;
}

function impliedValue(field: z.ZodType): unknown {
  if (field instanceof z.ZodNullable) return null;
  if (field instanceof z.ZodLiteral) return field.value;
  const { format, examples } = z.globalRegistry.get(field) ?? {};
  if (format === 'date-time') return at;
  return Array.isArray(examples) ? examples.at(0) : undefined;
}

// A unit test parses every sample.
function completed<T extends z.ZodObject>(sample: Record<string, unknown>): z.output<T> {
  return sample as z.output<T>;
}
