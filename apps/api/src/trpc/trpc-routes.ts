import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IdentifyCaller } from '../http/caller.ts';
import { type ParsedJson, parseJson } from '../http/parse-json.ts';
import { checkContentType, decodeBody, readBody } from '../http/read-body.ts';
import type { AppRouter } from './router.ts';
import { toTrpcError } from './trpc-error.ts';

export interface TrpcOptions {
  router: AppRouter;
  prefix: string;
  identify: IdentifyCaller;
  bodyLimit: number;
  onError: (error: Error) => void;
}

/** A body as it was read, or the refusal to tell from within tRPC's own answer. */
type Body = ParsedJson | { refusal: unknown };

/** The tRPC surface. Bodies are read, limited and checked as on the REST surface, and parsed once. */
export function registerTrpcRoutes(app: FastifyInstance, options: TrpcOptions): void {
  const { router, prefix, identify, bodyLimit } = options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']): Promise<Body> => {
    try {
      checkContentType(request.headers);
      return parseJson(decodeBody(await readBody(payload, request.headers, bodyLimit)));
    } catch (refusal) {
      return { refusal };
    }
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/:path',
    handler: async (request, reply) => {
      const body = request.body as Body | undefined;
      const response = await fetchRequestHandler({
        endpoint: prefix,
        req: toFetchRequest(request, body),
        router,
        createContext: async () => {
          try {
            const context = await identify(request, reply);
            if (body && 'refusal' in body) throw body.refusal;
            const key = request.headers['idempotency-key'];
            return {
              requestId: request.id,
              context,
              idempotencyKey: Array.isArray(key) ? key.join(',') : key,
              inexact: body?.inexact ?? [],
            };
          } catch (error) {
            throw toTrpcError(error);
          }
        },
        onError: ({ error }) => options.onError(error),
      });
      reply.code(response.status);
      response.headers.forEach((value, name) => void reply.header(name, value));
      return response.body === null ? '' : response.text();
    },
  });
}

// tRPC asks the request for its JSON; the body was parsed already, by the parser that knows our rules.
function toFetchRequest(request: FastifyRequest, body: Body | undefined): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(',') : value);
  }
  if (body) headers.set('content-type', 'application/json');
  const fetched = new Request(`http://localhost${request.url}`, { method: request.method, headers });
  const value = body && 'value' in body ? body.value : {};
  Object.defineProperty(fetched, 'json', { value: async () => value });
  return fetched;
}
