import type { z } from 'zod';

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

/** One entry of the events catalogue. Released data schemas only grow: no field is removed, narrowed or made optional. */
export interface EventDefinition {
  group: EventGroup;
  description: string;
  /** The schema of the envelope's `data`. */
  data: z.ZodObject;
  /** A whole `data` that parses; what a test send carries. */
  sample: Record<string, unknown>;
}

/** Names one event with its exact data type; the sample is checked against the schema by type. */
export function defineEvent<T extends z.ZodObject>(
  definition: EventDefinition & { data: T; sample: z.output<T> },
): EventDefinition & { data: T; sample: z.output<T> } {
  return definition;
}
