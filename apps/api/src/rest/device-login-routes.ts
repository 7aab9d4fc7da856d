import { deviceLoginOperations, type Operation, operations } from '@finhook/contracts';
import {
  approveDeviceLogin,
  beginDeviceLogin,
  type Context,
  type Core,
  type DenialLog,
  denyDeviceLogin,
  deviceLoginTimes,
  getDeviceLogin,
  pollDeviceLogin,
} from '@finhook/core';
import { maskText } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { output } from 'zod';
import { checkAccess, noteDenial } from '../auth/authorize.ts';
import { countRequest, setLimitHeaders } from '../auth/caller.ts';
import { checkCell, checkNamedCell } from '../auth/cell.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { RequireSession } from '../auth/session-caller.ts';
import { checkContentType, readSmallBody, receivedBody } from '../http/read-body.ts';
import { createInputParser } from '../operations/parse-input.ts';

export interface DeviceLoginOptions {
  core: Core;
  limits: Pick<RateLimits, 'beginLogin' | 'consume' | 'consumeOfAddress' | 'guessCode'>;
  denials: DenialLog;
  requireSession: RequireSession;
  prefix: string;
}

const BODY_LIMIT = 64 * 1024;
const PAGE = '/dashboard/device';

const { begin, poll, get, approve, deny } = deviceLoginOperations;

/** OAuth-like login: a program without a key polls while a person confirms on the page of the dashboard. */
export async function registerDeviceLoginRoutes(app: FastifyInstance, options: DeviceLoginOptions): Promise<void> {
  await app.register(async (routes) => {
    routes.addContentTypeParser('*', async (request: FastifyRequest) => {
      checkContentType({ 'content-type': request.headers['content-type'] ?? 'none' });
      return readSmallBody(request, BODY_LIMIT);
    });
    registerPublicRoutes(routes, options);
    registerPageRoutes(routes, options);
  });
}

function registerPublicRoutes(routes: FastifyInstance, { core, limits, prefix }: DeviceLoginOptions): void {
  const count = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    setLimitHeaders(reply, limits.consumeOfAddress(request.ip));
  const readBegin = createReader(begin);
  routes.post(`${prefix}${begin.http.path}`, { onRequest: count }, async (request, reply) => {
    checkNamedCell(core, request);
    const { client_name } = readBegin(bodyOf(request));
    await limits.beginLogin(request.ip);
    const codes = await beginDeviceLogin(core, { client_name: maskText(client_name), ip: request.ip });
    // X-Forwarded-Proto may hold any text.
    const page = `${request.protocol === 'https' ? 'https' : 'http'}://${request.host}${PAGE}`;
    return reply.header('cache-control', 'no-store').send({
      ...codes,
      verification_uri: page,
      verification_uri_complete: `${page}?code=${codes.user_code}`,
      expires_in: deviceLoginTimes.lifeSeconds,
      interval: deviceLoginTimes.intervalSeconds,
    });
  });
  const readPoll = createReader(poll);
  routes.post(`${prefix}${poll.http.path}`, { onRequest: count }, async (request, reply) => {
    const { device_code } = readPoll(bodyOf(request));
    checkCell(core, request, device_code);
    const created = await pollDeviceLogin(core, device_code, { id: request.id, ip: request.ip });
    return reply.header('cache-control', 'no-store').send(created);
  });
}

function registerPageRoutes(routes: FastifyInstance, options: DeviceLoginOptions): void {
  const { core } = options;
  const identify = createIdentification(options);
  const readGet = createReader(get);
  routes.get(`/dashboard${get.http.path}`, async (request, reply) => {
    await identify(request, reply);
    return getDeviceLogin(core, readGet(request.query).user_code);
  });
  const readApprove = createReader(approve);
  routes.post(`/dashboard${approve.http.path}`, async (request, reply) => {
    const context = await identify(request, reply);
    const { user_code, ...input } = readApprove(bodyOf(request));
    await approveDeviceLogin(core, context, user_code, input);
    return reply.code(204).send();
  });
  const readDeny = createReader(deny);
  routes.post(`/dashboard${deny.http.path}`, async (request, reply) => {
    const context = await identify(request, reply);
    const { user_code } = readDeny(bodyOf(request));
    await denyDeviceLogin(core, context, user_code);
    return reply.code(204).send();
  });
}

/** Throws 401, 403 and 429. */
function createIdentification({ requireSession, limits, denials }: DeviceLoginOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Context> => {
    const context = await requireSession(request, reply);
    await countRequest(limits, reply, context);
    try {
      checkAccess(operations.apiKeys.create, context);
    } catch (error) {
      noteDenial(denials, operations.apiKeys.create, context, error);
      throw error;
    }
    await limits.guessCode(context.accountId);
    return context;
  };
}

function bodyOf(request: FastifyRequest): unknown {
  const body = receivedBody(request);
  return body === undefined ? {} : body.value;
}

function createReader<O extends Operation>(operation: O): (raw: unknown) => output<O['input']> {
  const parse = createInputParser(operation);
  return (raw) => parsedInput<O>(parse(raw, []).input);
}

function parsedInput<O extends Operation>(input: unknown): output<O['input']> {
  return input as output<O['input']>;
}
