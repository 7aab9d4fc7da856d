import type { AnySchema, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';

/** Validators made from the document that the service publishes. */
export interface OpenApiSchemas {
  /** Errors of a body against the schema of path, method and status; undefined if it is valid. */
  errorsOf(place: { path: string; method: string; status: number; type: string }, body: unknown): string | undefined;
  /** Errors of an event against the webhook of its type. */
  webhookErrors(type: string, event: unknown): string | undefined;
}

function pointer(...parts: string[]): string {
  return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** An Ajv for JSON Schema 2020-12 with formats checked; unknown keywords are OpenAPI's own. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  return ajv;
}

const withWebhooks = z.object({ webhooks: z.record(z.string(), z.object({ $ref: z.string() })) });

export function compileOpenApi(document: AnySchema): OpenApiSchemas {
  const { webhooks } = withWebhooks.parse(document);
  const ajv = createAjv();
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  function errors(place: string, value: unknown): string | undefined {
    let validate = compiled.get(place);
    if (!validate) compiled.set(place, (validate = ajv.compile({ $ref: `openapi#${encodeURI(place)}` })));
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  }
  return {
    errorsOf: ({ path, method, status, type }, body) =>
      errors(
        pointer('paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'),
        body,
      ),
    webhookErrors: (type, event) =>
      errors(
        `${webhooks[type]?.$ref.slice(1)}${pointer('post', 'requestBody', 'content', 'application/json', 'schema')}`,
        event,
      ),
  };
}
