import { type Context, type Core, callerContext, createAuthenticator } from '@finhook/core';
import { createLogger } from '@finhook/runtime';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { createRateLimits } from '../src/auth/rate-limits.ts';
import { drainOnClose } from '../src/http/connections.ts';
import { createErrorHandler } from '../src/http/problem.ts';
import { registerStreamRoutes, type StreamOptions } from '../src/stream/stream-routes.ts';
import { type EventStream, openEventStream } from './event-stream.ts';

/** Only the stream, with intervals of the test; its readers authenticate with a key. */
export interface StreamStage {
  app: FastifyInstance;
  url: string;
  logLines: string[];
  open(key: string, more?: Record<string, string>): Promise<EventStream>;
}

/** Authenticates a key; replaced by tests to end a session. */
export type IdentifyKey = (request: FastifyRequest) => Promise<Context>;

export function createKeyIdentification(core: Core): IdentifyKey {
  const authenticator = createAuthenticator(core);
  return async ({ headers, id, ip }) => {
    const principal = await authenticator.authenticate(headers.authorization?.slice(7) ?? '', ip);
    return callerContext(core, principal, { request: { id, ip } });
  };
}

/** Opens it; the caller closes `app`. */
export async function openStreamStage(
  core: Core,
  { pace, identify = createKeyIdentification(core) }: Pick<StreamOptions, 'pace'> & { identify?: IdentifyKey } = {},
): Promise<StreamStage> {
  const logLines: string[] = [];
  const app = Fastify({ return503OnClosing: false });
  drainOnClose(app, 5_000);
  app.setErrorHandler(createErrorHandler(() => undefined));
  registerStreamRoutes(app, {
    core,
    logger: createLogger({ name: 'api', level: 'debug', destination: { write: (line) => void logLines.push(line) } }),
    limits: createRateLimits({ requests: 0, accountRequests: 0, inFlight: 1, failedAuth: 0 }),
    requireSession: identify,
    readSession: identify,
    ...(pace ? { pace } : {}),
  });
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/dashboard/stream`;
  return {
    app,
    url,
    logLines,
    open: (key, more = {}) => openEventStream(url, { authorization: `Bearer ${key}`, ...more }),
  };
}
