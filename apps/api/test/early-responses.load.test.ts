// Risk: a client that is still sending its body loses the response that rejects it, in a language that the service is not
// written in.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { headersOf, plainBody, repeated, type SendUploads, type Upload, useUploads, zippedBody } from './uploads.ts';

const run = promisify(execFile);
const programs = join(import.meta.dirname, 'clients');
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

/** A program of the folder `clients`, which takes all uploads as arguments. */
const program =
  (file: string, ...parameters: string[]): SendUploads =>
  async (uploads) => {
    const args = uploads.flatMap(({ method, url, authorization, contentType, encoding, lengthKnown }) => {
      return [method, url, authorization, join(folder, encoding), contentType, encoding, String(lengthKnown)];
    });
    const { stdout } = await run(file, [...parameters, ...args], { cwd: programs });
    return stdout.trim().split('\n');
  };

const goProgram = () => join(folder, 'upload');

const clients: { name: string; tool: [string, string]; build?: () => Promise<unknown>; send: SendUploads }[] = [
  { name: 'curl', tool: ['curl', '--version'], send: repeated(curlOnce) },
  { name: 'http.client of Python', tool: ['python3', '--version'], send: program('python3', 'upload.py') },
  { name: 'HttpClient of Java', tool: ['java', '-version'], send: program('java', 'Upload.java') },
  {
    name: 'net/http of Go',
    tool: ['go', 'version'],
    build: () => run('go', ['build', '-o', goProgram(), 'upload.go'], { cwd: programs }),
    send: (uploads) => program(goProgram())(uploads),
  },
];

describe('a response that rejects an upload arrives ten times of ten', () => {
  test.for(clients)('in $name', { timeout: 120_000 }, async ({ name, tool: [tool, option], build, send }, { skip }) => {
    await run(tool, [option]).catch(() => {
      process.stderr.write(`\nWARNING: ${tool} is not installed: the responses to ${name} are NOT tested.\n`);
      skip(`${tool} is not installed`);
    });
    await build?.();
    await expectAllReceived(send);
  });
});
