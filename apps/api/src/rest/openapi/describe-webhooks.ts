import { type AnyEventType, allEventTypes, eventDefinition, eventEnvelope, eventGroupTags } from '@finhook/contracts';
import { z } from 'zod';
import type { ZodOpenApiCallbacksObject, ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi';
import { pascalCase } from './describe-operation.ts';

const header = (description: string) => z.string().meta({ description });

const deliveryHeaders = z.object({
  'x-service-signature': header('`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`.'),
  'webhook-id': header('ID of the event (`evt_…`); the same on every attempt.'),
  'webhook-timestamp': header('Time of this attempt in Unix seconds.'),
  'webhook-signature': header('Signatures as Standard Webhooks defines them, separated by spaces.'),
  'x-service-event': header('Type of the event, for example `bank.balance.updated`.'),
  'x-service-delivery': header('ID of the delivery (`dlv_…`); the same on every attempt.'),
  'x-service-sequence': header(
    'Position of the event among all events of the account, from 1 without gaps. A receiver of all types can see that one is missing.',
  ),
  'x-service-attempt': header('Number of this attempt, from 1.'),
  'x-service-test': z.string().optional().describe('`true` on a test send; absent otherwise.'),
});

function componentName(type: AnyEventType): string {
  return `${pascalCase(type)}Event`;
}

export function eventSchema(type: AnyEventType) {
  const { data, description } = eventDefinition(type);
  const name = componentName(type);
  const isNamed = z.globalRegistry.get(data)?.id !== undefined;
  const component = isNamed
    ? data
    : data.meta({
        id: `${name}Data`,
        description: `The record that a \`${type}\` event is about, and details of the event.`,
      });
  return eventEnvelope
    .extend({
      type: z.literal(type).describe(`Type of the event: always \`${type}\`.`),
      data: component.describe('The record that the event is about, as of the creation of the event.'),
    })
    .meta({ id: name, description: `Webhook body of \`${type}\`. ${description}` });
}

/** The same body for an endpoint with `payload: thin`. */
export function thinEventSchema(type: AnyEventType) {
  const { description, thin } = eventDefinition(type);
  const name = `${pascalCase(type)}ThinEvent`;
  const data = thin.schema.meta({
    id: `${name}Data`,
    description: `The IDs, the status and the counts of a \`${type}\` event.`,
  });
  return eventEnvelope
    .extend({
      type: z.literal(type).describe(`Type of the event: always \`${type}\`.`),
      data: data.describe('What names the record that the event is about. `GET` returns the rest.'),
    })
    .meta({
      id: name,
      description: `Webhook body of \`${type}\` for endpoints with \`payload: thin\`. ${description}`,
    });
}

function request(schema: z.ZodType) {
  return {
    description:
      'Signed request to the URL of the endpoint. A 2xx status acknowledges it; any other response is retried on the schedule of the endpoint.',
    // Authenticated by the signature, not by an API key.
    security: [],
    requestParams: { header: deliveryHeaders },
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received. Any other status is retried.' } },
  } satisfies ZodOpenApiOperationObject;
}

function webhook(type: AnyEventType, schema: z.ZodType): ZodOpenApiPathItemObject {
  const { description, group } = eventDefinition(type);
  const operationId = `webhook.${type}`;
  const tags = [eventGroupTags[group].name];
  // A component, because generators create client calls for other webhooks, some of which don't compile.
  return { id: componentName(type), post: { operationId, summary: description, tags, ...request(schema) } };
}

function unionOf<T extends ReturnType<typeof eventSchema>>(schemas: readonly T[]) {
  const [first, ...others] = schemas;
  if (!first) throw new Error('There are no events.');
  return z.discriminatedUnion('type', [first, ...others]);
}

/** Webhooks by type, and as callbacks with one union of all events, for generators that don't support webhooks. */
export function describeWebhooks(): {
  webhooks: Record<string, ZodOpenApiPathItemObject>;
  callbacks: ZodOpenApiCallbacksObject;
} {
  const schemas = allEventTypes.map(eventSchema);
  const event = unionOf(schemas).meta({
    id: 'WebhookEvent',
    description: 'An event of any type, as it is sent to an endpoint.',
  });
  const thinEvent = unionOf(allEventTypes.map(thinEventSchema)).meta({
    id: 'ThinWebhookEvent',
    description: 'An event of any type, as it is sent to an endpoint with `payload: thin`.',
  });
  return {
    webhooks: Object.fromEntries(
      schemas.map((schema) => [schema.shape.type.value, webhook(schema.shape.type.value, schema)]),
    ),
    callbacks: {
      event: {
        '{$request.body#/url}': {
          post: { operationId: 'webhook', summary: 'Each event, as `webhooks` describes it', ...request(event) },
        },
      },
      thin_event: {
        '{$request.body#/url}': {
          post: { operationId: 'thinWebhook', summary: 'Each event with `payload: thin`', ...request(thinEvent) },
        },
      },
    },
  };
}
