import { parseWebhook, type ReceivedEvent } from '@finhook/client';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/** Hono: `app.route('/webhooks', webhookRoute(secret, store))`. */
export function webhookRoute(secret: string, store: (event: ReceivedEvent) => Promise<void>): Hono {
  return new Hono().post('/', bodyLimit({ maxSize: 4 * 1024 * 1024 }), async (c) => {
    const body = await c.req.arrayBuffer();
    const result = await parseWebhook({ body, headers: c.req.raw.headers, secret });
    if (!result.ok) return c.text(result.reason, 400);
    await store(result.event);
    return c.body(null, 204);
  });
}
