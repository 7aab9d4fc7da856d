import { parseWebhook, type ReceivedEvent } from '@finhook/client';
import type { FastifyPluginAsync } from 'fastify';

/** Fastify: `app.register(webhookPlugin(secret, store))`. The parser applies only inside the plugin. */
export function webhookPlugin(secret: string, store: (event: ReceivedEvent) => Promise<void>): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: 4 * 1024 * 1024 },
      async (_: unknown, body: Buffer) => body,
    );
    app.post<{ Body: Buffer }>('/webhooks', async (request, reply) => {
      const result = await parseWebhook({ body: request.body, headers: request.headers, secret });
      if (result.ok) await store(result.event);
      return reply.code(result.ok ? 204 : 400).send(result.ok ? undefined : result.reason);
    });
  };
}
