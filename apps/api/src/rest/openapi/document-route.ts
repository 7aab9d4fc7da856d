import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { setLimitHeaders } from '../../auth/caller.ts';
import type { RateLimits } from '../../auth/rate-limits.ts';
import { takesGzip } from '../../http/accept.ts';
import { entityTag, sendTagged } from '../entity-tag.ts';
import { createOpenApiDocument } from './create-openapi-document.ts';

/** Serves the OpenAPI document, which is made and compressed once. It needs no key, so its requests count by address. */
export function registerDocumentRoute(app: FastifyInstance, limits: Pick<RateLimits, 'consumeOfAddress'>): void {
  const text = JSON.stringify(createOpenApiDocument());
  const zipped = gzipSync(text);
  const tags = { text: entityTag(text), zipped: entityTag(zipped) };
  app.get('/openapi.json', async (request, reply) => {
    await setLimitHeaders(reply, limits.consumeOfAddress(request.ip));
    reply.header('vary', 'accept-encoding');
    if (!takesGzip(request.headers['accept-encoding'])) return sendTagged(request, reply, text, tags.text);
    return sendTagged(request, reply.header('content-encoding', 'gzip'), zipped, tags.zipped);
  });
}
