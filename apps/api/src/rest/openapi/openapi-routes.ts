import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Operation } from '@finhook/contracts';
import type { FastifyInstance } from 'fastify';
import { setLimitHeaders } from '../../auth/caller.ts';
import type { RateLimits } from '../../auth/rate-limits.ts';
import { isFile, pageHeaders, rejectPrecondition, sendNotBuilt } from '../../http/dashboard-files.ts';
import { takesGzip } from '../../http/request.ts';
import { entityTag, sendTagged } from '../../http/response-headers.ts';
import { createOpenApiDocument } from './create-openapi-document.ts';

/**
 * Serves the OpenAPI document, which is made and compressed once. It needs no key, so its requests count by address.
 */
export function registerDocumentRoute(
  app: FastifyInstance,
  limits: Pick<RateLimits, 'consumeOfAddress'>,
  operations: readonly Operation[],
): void {
  const text = JSON.stringify(createOpenApiDocument(operations));
  const zipped = gzipSync(text);
  const tags = { text: entityTag(text), zipped: entityTag(zipped) };
  app.get('/openapi.json', async (request, reply) => {
    await setLimitHeaders(reply, limits.consumeOfAddress(request.ip));
    reply.header('vary', 'accept-encoding');
    if (!takesGzip(request.headers['accept-encoding'])) return sendTagged(request, reply, text, tags.text);
    return sendTagged(request, reply.header('content-encoding', 'gzip'), zipped, tags.zipped);
  });
}

/**
 * Scalar's script adds its styles as elements and attributes. They load nothing: the other sources are this service.
 */
const headers = pageHeaders("'self' 'unsafe-inline'");

const files = {
  '/docs': 'docs/index.html',
  '/docs/': 'docs/index.html',
  '/docs/page.css': 'docs/page.css',
  '/docs/page.js': 'docs/page.js',
  '/docs/scalar.js': 'docs/scalar.js',
};

/** The API reference at `/docs`: a page that renders openapi.json, from the build in `folder`. */
export function registerReferenceRoutes(app: FastifyInstance, folder: string): void {
  for (const [url, file] of Object.entries(files)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { quiet: true },
      async handler(_request, reply) {
        reply.headers(headers);
        if (!(await isFile(join(folder, file)))) return sendNotBuilt(reply);
        return reply.header('cache-control', 'no-cache').sendFile(file, folder, { cacheControl: false });
      },
      errorHandler: rejectPrecondition,
    });
  }
}
