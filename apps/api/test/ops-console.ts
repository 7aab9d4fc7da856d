import type { Clock, Core } from '@finhook/core';
import { createLogger } from '@finhook/runtime';
import { createApi } from '../src/create-api.ts';
import type { OpsOptions } from '../src/ops/register-ops-routes.ts';
import { SECRETS_KEY } from './api-fixture.ts';

/** Used by tests only. */
export const opsPassword = ['correct', 'horse', 'battery'].join('-');

export interface ConsoleOptions {
  readonly core: Core;
  readonly queueUrl: string;
  readonly clock?: Clock;
  /** Undefined turns the console off. */
  readonly password?: string | undefined;
  readonly countJobs?: OpsOptions['countJobs'];
  /** Interval between password comparisons of an address; none by default. */
  readonly pause?: OpsOptions['pause'];
  readonly sampleMs?: OpsOptions['sampleMs'];
  readonly previewMs?: OpsOptions['previewMs'];
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: string[];
}

/** An api with a console, and a browser. */
export interface OpenConsole {
  readonly url: string;
  readonly logLines: readonly string[];
  /** A request of a page of the console; follows no redirects. */
  readonly send: (method: string, path: string, options?: SendOptions) => Promise<ApiResponse>;
  /** Signs in and returns the session's cookie. */
  readonly signIn: (password?: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface SendOptions {
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function openConsole(options: ConsoleOptions): Promise<OpenConsole> {
  const { core, clock = core.clock, password = opsPassword, queueUrl } = options;
  const { pause = async () => undefined } = options;
  const { countJobs = async () => ({ waiting: 0, active: 0, delayed: 0 }) } = options;
  const logLines: string[] = [];
  const logger = createLogger({
    name: 'api',
    level: 'debug',
    destination: { write: (line) => void logLines.push(line) },
  });
  const app = await createApi({
    core: { ...core, clock },
    logger,
    pingQueue: async () => undefined,
    rateLimits: { requests: 0, accountRequests: 0, inFlight: 0, failedAuth: 0 },
    trustedProxies: options.trustedProxies,
    bodyLimit: 1024 * 1024,
    closeGraceMs: 0,
    ops:
      'password' in options && options.password === undefined
        ? undefined
        : {
            password,
            secretsKey: SECRETS_KEY,
            queueUrl,
            countJobs,
            pause,
            sampleMs: options.sampleMs,
            previewMs: options.previewMs,
          },
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const send: OpenConsole['send'] = async (method, path, { cookie, headers, form } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { accept: 'text/html', origin: url, ...(cookie === undefined ? {} : { cookie }), ...headers },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    url,
    logLines,
    send,
    signIn: async (tried = password) => {
      const { headers } = await send('POST', '/ops/sign-in', { form: { password: tried } });
      return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    },
    close: () => app.close(),
  };
}
