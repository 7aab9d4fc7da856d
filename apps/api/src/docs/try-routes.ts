import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isFile, pageHeaders, rejectPrecondition, sendNotBuilt } from '../http/dashboard-files.ts';
import { CONSOLE } from './page.ts';

/** Scalar's script adds styles as elements and attributes; they can load only from this service. */
const headers = pageHeaders("'self' 'unsafe-inline'");

const files = {
  [CONSOLE]: 'try/index.html',
  [`${CONSOLE}/page.css`]: 'try/page.css',
  [`${CONSOLE}/page.js`]: 'try/page.js',
  [`${CONSOLE}/scalar.js`]: 'try/scalar.js',
};

/** Serves the page that renders openapi.json, from the build in `folder`. */
export function registerTryRoutes(app: FastifyInstance, folder: string): void {
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
