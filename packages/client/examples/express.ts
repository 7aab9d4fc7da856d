import { parseWebhook, type ReceivedEvent } from '@finhook/client';
import express, { type Router } from 'express';

/** Express: `app.use('/webhooks', webhookRouter(secret, store))`, ahead of `app.use(express.json())`. */
export function webhookRouter(secret: string, store: (event: ReceivedEvent) => Promise<void>): Router {
  const rawBody = express.raw({ type: '*/*', limit: '4mb' });
  return express.Router().post<object, string, Buffer>('/', rawBody, (request, response, next) => {
    const result = parseWebhook({ body: request.body, headers: request.headers, secret });
    if (result.ok) store(result.event).then(() => response.status(204).end(), next);
    else response.status(400).send(result.reason);
  });
}
