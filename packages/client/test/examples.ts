import type { ReceivedEvent } from '@finhook/client';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { webhookRouter } from '../examples/express.ts';
import { webhookPlugin } from '../examples/fastify.ts';
import { webhookRoute } from '../examples/hono.ts';
import { webhookHandler } from '../examples/next.ts';
import { webhookListener } from '../examples/node.ts';
import { type Listening, listen, listenFetch } from './listen.ts';

type Store = (event: ReceivedEvent) => Promise<void>;

/** An example of the guide, mounted at `/webhooks` in an application of its framework and served over HTTP. */
export interface Example {
  readonly name: string;
  readonly start: (secret: string, store: Store) => Promise<Listening>;
}

export const examples: readonly Example[] = [
  { name: 'plain Node', start: (secret, store) => listen(webhookListener(secret, store)) },
  { name: 'Express', start: (secret, store) => listen(expressApp(secret, store)) },
  { name: 'Fastify', start: (secret, store) => listenFastify(fastifyApp(secret, store)) },
  { name: 'Hono', start: (secret, store) => listenFetch(honoApp(secret, store).fetch) },
  { name: 'a handler of standard requests', start: (secret, store) => listenFetch(webhookHandler(secret, store)) },
];

// Each application also has a JSON route, which the receiver must not break.

function expressApp(secret: string, store: Store): express.Express {
  const app = express();
  app.set('env', 'test');
  app.use('/webhooks', webhookRouter(secret, store));
  app.use(express.json());
  app.post('/orders', (request, response) => void response.json({ got: request.body }));
  return app;
}

function fastifyApp(secret: string, store: Store): FastifyInstance {
  const app = fastify();
  app.register(webhookPlugin(secret, store));
  app.post('/orders', (request, reply) => reply.send({ got: request.body }));
  return app;
}

function honoApp(secret: string, store: Store): Hono {
  const app = new Hono();
  app.onError((error, c) => (error instanceof HTTPException ? error.getResponse() : c.text('failed', 500)));
  app.route('/webhooks', webhookRoute(secret, store));
  app.post('/orders', async (c) => c.json({ got: await c.req.json() }));
  return app;
}

export async function listenFastify(app: FastifyInstance): Promise<Listening> {
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
}
