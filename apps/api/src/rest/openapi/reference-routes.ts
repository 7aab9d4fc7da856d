import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isFile, pageHeaders, rejectPrecondition, sendNotBuilt } from '../../http/built-files.ts';

/** Scalar's script adds its styles as elements and attributes. They load nothing: the other sources are this service. */
const headers = pageHeaders("'self' 'unsafe-inline'");

const files = {
  '/docs': 'docs/index.html',
  '/docs/': 'docs/index.html',
  '/docs/page.css': 'docs/page.css',
  '/docs/page.js': 'docs/page.js',
  '/docs/scalar.js': 'docs/scalar.js',
};

/** The API reference for people, at `/docs`: a page that draws openapi.json, from the build in `folder`. */
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
