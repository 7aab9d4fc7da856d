import type { FastifyInstance } from 'fastify';
import { setLimitHeaders } from '../../auth/caller.ts';
import type { RateLimits } from '../../auth/rate-limits.ts';
import { SharedText } from '../../http/response-headers.ts';
import { documentParts } from './document-parts.ts';

/** The documents need no key, so requests are limited by address. */
export function registerDocumentRoutes(
  app: FastifyInstance,
  limits: Pick<RateLimits, 'consumeOfAddress'>,
  document: () => string,
): void {
  const serve = (url: string, text: SharedText): void => {
    app.get(url, async (request, reply) => {
      await setLimitHeaders(reply, limits.consumeOfAddress(request.ip));
      return text.send(request, reply);
    });
  };
  serve('/openapi.json', new SharedText(document));
  for (const [name, text] of documentParts(document)) serve(`/openapi/${name}.json`, new SharedText(text));
}
