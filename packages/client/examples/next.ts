import { parseWebhook, type ReceivedEvent } from '@finhook/client';

/** Next.js, in `app/webhooks/route.ts`: `export const POST = webhookHandler(secret, store);` */
export function webhookHandler(secret: string, store: (event: ReceivedEvent) => Promise<void>) {
  return async (request: Request): Promise<Response> => {
    const body = await request.arrayBuffer();
    const result = await parseWebhook({ body, headers: request.headers, secret });
    if (!result.ok) return new Response(result.reason, { status: 400 });
    await store(result.event);
    return new Response(null, { status: 204 });
  };
}
