import {
  allEventTypes,
  completeJsonSchema,
  eventDefinition,
  isOperationalEventType,
  type operations,
} from '@finhook/contracts';
import { z } from 'zod';
import type { OutputOf } from '../../kernel/verb.ts';
import { sampleEnvelope } from './sample-envelope.ts';

/** All types, operational ones last, each with a JSON Schema (draft 2020-12) and a sample. */
export async function listEventTypes(): Promise<OutputOf<typeof operations.eventTypes.list>> {
  const data = allEventTypes.map((type) => {
    const { group, description, data: schema } = eventDefinition(type);
    return {
      object: 'event_type' as const,
      type,
      group,
      description,
      emitted: true,
      operational: isOperationalEventType(type),
      schema: z.toJSONSchema(schema, { io: 'output', override: completeJsonSchema }),
      sample: sampleEnvelope(type),
    };
  });
  return { object: 'list', data, has_more: false, next_cursor: null, prev_cursor: null };
}
