import { parseWebhook, type ReceivedEvent } from '@finhook/client';
import express, { type Router } from 'express';

/** Express: `app.use('/webhooks', webhookRouter(secret, store))`, ahead of `app.use(express.json())`. */
export function webhookRouter(secret: string, store: (event: ReceivedEvent) => Promise<void>): Router {
  const rawBody = express.raw({ type: '*/*', limit: '4mb' });
  return express.Router().post<object, string, Buffer>('/', rawBody, (request, response, next) => {
    const receive = async (): Promise<void> => {
      const result = await parseWebhook({ body: request.body, headers: request.headers, secret });
      if (result.ok) await store(result.event);
      response.status(result.ok ? 204 : 400).send(result.ok ? undefined : result.reason);
    };
    receive().catch(next); // not stored: the delivery is retried
  });
}
