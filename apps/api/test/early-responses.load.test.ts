// Risk: a client that is still sending its body loses the response that rejects it, in a program that the service is not
// written with.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, test } from 'vitest';
import { headersOf, plainBody, repeated, type Upload, useUploads, zippedBody } from './uploads.ts';

const run = promisify(execFile);
const { expectAllReceived } = useUploads();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'finhook-uploads-'));
  await writeFile(join(folder, 'identity'), plainBody);
  await writeFile(join(folder, 'gzip'), zippedBody);
});
afterAll(() => rm(folder, { recursive: true }));

async function curlOnce(upload: Upload): Promise<string> {
  const { url, method, lengthKnown, encoding } = upload;
  const headers = Object.entries({ ...headersOf(upload), ...(lengthKnown ? {} : { 'transfer-encoding': 'chunked' }) });
  const file = join(folder, encoding);
  const args = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-X', method, '--data-binary', `@${file}`, url];
  return (await run('curl', [...headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]), ...args])).stdout;
}

test('a response that rejects an upload arrives ten times of ten in curl', { timeout: 120_000 }, () =>
  expectAllReceived(repeated(curlOnce, 10), 10),
);
