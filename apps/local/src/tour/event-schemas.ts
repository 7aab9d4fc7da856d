import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';
import { atPointer, type JsonObject } from './json.ts';

const catalogueSchema = z.object({
  data: z.array(z.object({ type: z.string(), operational: z.boolean(), schema: z.record(z.string(), z.unknown()) })),
});

/** The catalogue of events, and what it and the OpenAPI document's webhooks say of a received one. */
export interface EventSchemas {
  types: readonly string[];
  /** Empty for an event that is as both say. */
  faultsOf(event: { type: string; data: unknown }): string[];
}

/** Compiles the schemas of `GET /event-types` and of the document's `webhooks`. */
export function readEventSchemas(document: JsonObject, eventTypes: unknown): EventSchemas {
  const interfaces = catalogueSchema.parse(eventTypes).data.filter(({ operational }) => !operational);
  const catalogue = new Map(interfaces.map(({ type, schema }) => [type, schema]));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<AnySchema, ReturnType<typeof ajv.compile>>();

  function faults(source: string, schema: AnySchema, value: unknown): string[] {
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    return validate(value) ? [] : [`not as ${source} says: ${ajv.errorsText(validate.errors)}`];
  }

  const webhooks = new Map(
    [...catalogue.keys()].map((type) => [
      type,
      {
        $ref: `openapi${String(atPointer(document, `/webhooks/${type}/$ref`))}/post/requestBody/content/application~1json/schema`,
      },
    ]),
  );
  return {
    types: [...catalogue.keys()],
    faultsOf: (event) => [
      ...faults('GET /event-types', catalogue.get(event.type) ?? false, event.data),
      ...faults('the OpenAPI webhooks', webhooks.get(event.type) ?? false, event),
    ],
  };
}
