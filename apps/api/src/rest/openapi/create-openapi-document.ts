import {
  completeJsonSchema,
  deviceLoginOperations,
  eventGroupTags,
  type Operation,
  operationGroups,
  operationList,
  operations,
} from '@finhook/contracts';
import {
  createDocument,
  type ZodOpenApiCallbacksObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { describeOperation } from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';

type Document = ReturnType<typeof createDocument>;

/** The two need no key, so they are not in the table. */
export function documentedOperations(list: readonly Operation[]): readonly Operation[] {
  return [...list, deviceLoginOperations.begin, deviceLoginOperations.poll];
}

function pathsOf(list: readonly Operation[], callbacks: ZodOpenApiCallbacksObject): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of documentedOperations(list)) {
    const routes = [operation.http, ...(operation.http.aliases ?? [])];
    routes.forEach((route, i) => {
      const methods = (paths[route.path] ??= {});
      // Aliases need operation ids of their own.
      const described = describeOperation(operation, route, i === 0 ? '' : `.${i + 1}`);
      const sends = operation.id === operations.webhookEndpoints.create.id;
      methods[route.method.toLowerCase()] = sends ? { ...described, callbacks } : described;
    });
  }
  return paths;
}

/** The OpenAPI 3.1 document of the REST API and the webhooks. */
export function createOpenApiDocument(list: readonly Operation[] = operationList): Document {
  const { webhooks, callbacks } = describeWebhooks();
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'finhook',
        version: '1.0.0',
        description:
          "Stores a company's financial data (cash balances, bank transactions, financial statements) and sends every change " +
          'to your endpoints as a signed webhook.',
      },
      servers: [{ url: '/api/v1' }],
      security: [{ apiKey: [] }],
      tags: [...Object.values(operationGroups), ...Object.values(eventGroupTags)],
      paths: pathsOf(list, callbacks),
      webhooks,
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sk_live_…` or `sk_test_…`.' },
        },
      },
    },
    // Open objects also make a record in requests and responses one component, not two.
    { override: completeJsonSchema, allowEmptySchema: { union: true } },
  );
}
