import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';

export const plainBody = Buffer.alloc(4 * 1024 ** 2, ' ');
export const zippedBody = gzipSync(randomBytes(4 * 1024 ** 2));

/** One upload that is rejected before its last byte. */
export interface Upload {
  status: number;
  method: string;
  url: string;
  authorization: string;
  body: Buffer;
  contentType: string;
  encoding: 'identity' | 'gzip';
  lengthKnown: boolean;
}

/** Sends each upload so many times and resolves with the status, or the error, of each. */
export type SendUploads = (uploads: readonly Upload[]) => Promise<string[]>;

export const headersOf = ({ authorization, contentType, encoding }: Upload): Record<string, string> => ({
  authorization,
  'content-type': contentType,
  'content-encoding': encoding,
});

export const repeated =
  (send: (upload: Upload) => Promise<string>, attempts: number): SendUploads =>
  async (uploads) => {
    const outcomes: string[] = [];
    for (const upload of uploads) {
      for (let i = 0; i < attempts; i++) outcomes.push(await send(upload).catch(String));
    }
    return outcomes;
  };

/** An api for uploads, and what expects every response to reach a client that is still sending. */
export function useUploads(): {
  api: () => ApiFixture;
  expectAllReceived: (send: SendUploads, attempts: number) => Promise<void>;
} {
  let fixture: ApiFixture;
  let usual: Upload;
  let reader: string;
  beforeAll(async () => {
    fixture = await openApiFixture(inject('pgUrl'));
    reader = `Bearer ${await fixture.keyOf('read')}`;
    usual = {
      status: 413,
      method: 'POST',
      url: `${fixture.url}/api/v1/companies`,
      authorization: `Bearer ${fixture.apiKey}`,
      body: plainBody,
      contentType: 'application/json',
      encoding: 'identity',
      lengthKnown: true,
    };
  });
  afterAll(() => fixture.close());

  /** `throttledUrl` is of an api that has just seen a failed authentication of this address. */
  const uploadsTo = (throttledUrl: string): Upload[] => [
    { ...usual, status: 429, authorization: 'none', url: `${throttledUrl}/api/v1/companies` },
    usual,
    { ...usual, lengthKnown: false },
    { ...usual, body: zippedBody, encoding: 'gzip', lengthKnown: false },
    { ...usual, status: 401, authorization: 'none' },
    { ...usual, status: 403, authorization: reader },
    { ...usual, status: 403, authorization: reader, url: `${fixture.url}/trpc/companies.create` },
    { ...usual, status: 404, url: `${fixture.url}/nothing` },
    { ...usual, status: 405, method: 'PUT' },
    { ...usual, status: 415, contentType: 'text/plain' },
  ];
  const nameOf = ({ status, method, url, lengthKnown, encoding }: Upload): string =>
    `${status} ${method} ${new URL(url).pathname} ${encoding} ${lengthKnown ? '' : 'chunked'}`;
  return {
    api: () => fixture,
    async expectAllReceived(send, attempts) {
      // The throttle forgets failures a minute after the first: each client has an api of its own.
      const { databaseUrl } = fixture;
      const throttled = await openApiFixture(inject('pgUrl'), { databaseUrl, rateLimits: { failedAuth: 1 } });
      try {
        await fetch(`${throttled.url}/api/v1/me`);
        const uploads = uploadsTo(throttled.url);
        const outcomes = await send(uploads);
        const received = uploads.map((upload, i) => [nameOf(upload), outcomes.slice(i * attempts, (i + 1) * attempts)]);
        expect(received).toEqual(
          uploads.map((upload) => [nameOf(upload), Array(attempts).fill(String(upload.status))]),
        );
      } finally {
        await throttled.close();
      }
    },
  };
}
