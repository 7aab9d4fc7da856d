import type { IncomingMessage } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { parseWebhook, type WebhookHeaders, type WebhookRejection } from '@finhook/client';
import express, { type RequestHandler } from 'express';
import fastify from 'fastify';
import { type Context, Hono } from 'hono';
import { webhookRouter } from '../examples/express.ts';
import { listenFastify } from './examples.ts';
import { type Listening, listen, listenFetch } from './listen.ts';

/** A misconfigured receiver at `/webhooks`, and its reason for rejecting a genuine delivery. */
export interface SetUp {
  readonly name: string;
  readonly verdict: WebhookRejection;
  readonly start: (secret: string) => Promise<Listening>;
}

/** The body that a receiver passes. In an object, because it may be a promise. */
type Read<Request> = (request: Request) => Promise<{ readonly body: unknown }>;

async function verdictOf(secret: string, body: unknown, headers: WebhookHeaders): Promise<string> {
  const result = await parseWebhook({ body: asCallerWithoutTypes(body), headers, secret });
  return result.ok ? 'accepted' : result.reason;
}

function asCallerWithoutTypes(body: unknown): Uint8Array {
  return body as Uint8Array;
}

function node(read: Read<IncomingMessage>): SetUp['start'] {
  return (secret) =>
    listen((request, response) => {
      read(request).then(
        async ({ body }) => response.end(await verdictOf(secret, body, request.headers)),
        () => response.destroy(),
      );
    });
}

function expressAfter(...before: readonly RequestHandler[]): SetUp['start'] {
  return (secret) => {
    const app = express();
    for (const handler of before) app.use(handler);
    app.post('/webhooks', (request, response) => {
      void verdictOf(secret, request.body, request.headers).then((verdict) => response.send(verdict));
    });
    return listen(app);
  };
}

function fastifyAlone(): SetUp['start'] {
  return (secret) => {
    const app = fastify();
    app.post('/webhooks', (request) => verdictOf(secret, request.body, request.headers));
    return listenFastify(app);
  };
}

function hono(read: Read<Context>): SetUp['start'] {
  return (secret) => {
    const app = new Hono();
    app.post('/webhooks', async (c) => c.text(await verdictOf(secret, (await read(c)).body, c.req.raw.headers)));
    return listenFetch(app.fetch);
  };
}

function route(read: Read<Request>): SetUp['start'] {
  const handler = (secret: string) => async (request: Request) =>
    new Response(await verdictOf(secret, (await read(request)).body, request.headers));
  return (secret) => listenFetch(handler(secret));
}

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

export const setUps: readonly SetUp[] = [
  {
    name: 'plain Node, JSON.parse first',
    verdict: 'body_already_parsed',
    start: node(async (request) => ({ body: await json(request) })),
  },
  {
    name: 'plain Node, the parsed body written out again',
    verdict: 'no_matching_signature',
    start: node(async (request) => ({ body: indented(await json(request)) })),
  },
  { name: 'plain Node, the request as the body', verdict: 'body_not_read', start: node(async (body) => ({ body })) },
  {
    name: 'plain Node, a promise of the body',
    verdict: 'body_not_read',
    start: node(async (request) => ({ body: buffer(request) })),
  },
  {
    name: 'Express, express.json() on every route',
    verdict: 'body_already_parsed',
    start: expressAfter(express.json()),
  },
  {
    name: 'Express, express.json() ahead of express.raw()',
    verdict: 'body_already_parsed',
    start: expressAfter(express.json(), express.raw({ type: '*/*' })),
  },
  { name: 'Express, no parser', verdict: 'missing_body', start: expressAfter() },
  { name: 'Express, express.raw() for another type', verdict: 'missing_body', start: expressAfter(express.raw()) },
  { name: 'Fastify, its own JSON parser', verdict: 'body_already_parsed', start: fastifyAlone() },
  {
    name: 'Hono, c.req.json()',
    verdict: 'body_already_parsed',
    start: hono(async (c) => ({ body: await c.req.json() })),
  },
  {
    name: 'Hono, c.req.text() without await',
    verdict: 'body_not_read',
    start: hono(async (c) => ({ body: c.req.text() })),
  },
  { name: 'Hono, the stream', verdict: 'body_not_read', start: hono(async (c) => ({ body: c.req.raw.body })) },
  {
    name: 'a route handler, request.json()',
    verdict: 'body_already_parsed',
    start: route(async (request) => ({ body: await request.json() })),
  },
  {
    name: 'a route handler, request.body',
    verdict: 'body_not_read',
    start: route(async (request) => ({ body: request.body })),
  },
];

/** The example for Express, mounted after the application's body parser, where it doesn't work. */
export function exampleBehindParser(secret: string): Promise<Listening> {
  const app = express();
  app.use(express.json());
  app.use(
    '/webhooks',
    webhookRouter(secret, async () => undefined),
  );
  return listen(app);
}
