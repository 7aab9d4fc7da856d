import {
  type AnyEventType,
  allEventTypes,
  completeJsonSchema,
  eventDefinition,
  isOperationalEventType,
  type operations,
  thinData,
} from '@finhook/contracts';
import { z } from 'zod';
import type { OutputOf } from '../../verbs/verb.ts';

export interface SampleEnvelope {
  id: string;
  type: AnyEventType;
  created_at: string;
  account_id: string;
  company_id?: string;
  data: Record<string, unknown>;
}

function text(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

export function sampleEnvelope(type: AnyEventType): SampleEnvelope {
  const { sample } = eventDefinition(type);
  const accountLevel = type.startsWith('api_key.') || type.startsWith('webhook_endpoint.');
  // A company's record has its id in `id`, its other records in `company_id`.
  const companyId = sample['company_id'] ?? (sample['object'] === 'company' ? sample['id'] : undefined);
  return {
    id: `evt_${'0'.repeat(26)}`,
    type,
    created_at: text(sample['updated_at'] ?? sample['last_failed_at'], '2026-03-02T09:30:00.000Z'),
    account_id: text(sample['account_id'], `acct_${'0'.repeat(26)}`),
    ...(accountLevel || typeof companyId !== 'string' ? {} : { company_id: companyId }),
    data: sample,
  };
}

/** All types, operational ones last, each with a JSON Schema (draft 2020-12) and a sample. */
export async function listEventTypes(): Promise<OutputOf<typeof operations.eventTypes.list>> {
  const data = allEventTypes.map((type) => {
    const { group, description, data: schema, thin } = eventDefinition(type);
    const sample = sampleEnvelope(type);
    return {
      object: 'event_type' as const,
      type,
      group,
      description,
      emitted: true,
      operational: isOperationalEventType(type),
      schema: z.toJSONSchema(schema, { io: 'output', override: completeJsonSchema }),
      sample,
      thin_schema: z.toJSONSchema(thin.schema, { io: 'output', override: completeJsonSchema }),
      thin_sample: { ...sample, data: thinData(type, sample.data) },
    };
  });
  return { object: 'list', data, has_more: false, next_cursor: null, prev_cursor: null };
}
