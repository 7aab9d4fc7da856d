import { type AnyEventType, allEventTypes, eventDefinition, eventEnvelope, operationList } from '@finhook/contracts';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { describeOperation } from './describe-operation.ts';

type Document = ReturnType<typeof createDocument>;

function pathsOf(): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operationList) {
    const routes = [operation.http, ...(operation.http.aliases ?? [])];
    routes.forEach((route, i) => {
      const methods = (paths[route.path] ??= {});
      // Aliases need operation ids of their own.
      methods[route.method.toLowerCase()] = describeOperation(operation, route, i === 0 ? '' : `.${i + 1}`);
    });
  }
  return paths;
}

const header = (description: string) => z.string().meta({ description });

const deliveryHeaders = z.object({
  'x-service-signature': header('`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`'),
  'webhook-id': header('The event id; the same on every attempt'),
  'webhook-timestamp': header('Unix seconds of this attempt'),
  'webhook-signature': header('Standard Webhooks signatures'),
  'x-service-event': header('The type of the event'),
  'x-service-delivery': header('The id of the delivery; the same on every attempt'),
  'x-service-attempt': header('The number of this attempt, from 1'),
  'x-service-test': z.string().optional().meta({ description: '`true` on a test send; absent otherwise' }),
});

function webhookOf(type: AnyEventType): { post: ZodOpenApiOperationObject } {
  const { description, data, group } = eventDefinition(type);
  const schema = eventEnvelope.extend({ type: z.literal(type), data });
  return {
    post: {
      operationId: `webhook.${type}`,
      summary: description,
      tags: [group],
      // A delivery proves itself by its signature; an API key never travels with it.
      security: [],
      requestParams: { header: deliveryHeaders },
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'Received. Anything else is tried again.' } },
    },
  };
}

/** The OpenAPI 3.1 document of the REST surface and of every webhook, made from the tables. */
export function createOpenApiDocument(): Document {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'finhook',
        version: '1.0.0',
        description:
          'Keeps the financial surface of a company (cash balances, bank transactions, statement snapshots) and tells ' +
          'every subscriber about every change with a signed webhook.',
      },
      servers: [{ url: '/api/v1' }],
      security: [{ apiKey: [] }],
      paths: pathsOf(),
      webhooks: Object.fromEntries(allEventTypes.map((type) => [type, webhookOf(type)])),
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk_live_… or sk_test_…' },
        },
      },
    },
    {
      // The same record in requests and answers is one component, not two.
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    },
  );
}
