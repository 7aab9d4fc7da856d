// Risk: only our own code can verify our signatures, because both share a mistake.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readVectors, type SignatureVector } from '../vectors/read-vectors.ts';
import { createSigner } from './sign.ts';

interface Language {
  readonly name: string;
  readonly command: string;
  /** Arguments that print the version; the language is skipped unless they succeed. */
  readonly probe: readonly string[];
  readonly run: readonly string[];
}

const receiver = (file: string) => fileURLToPath(new URL(`../receivers/${file}`, import.meta.url));
const languages: readonly Language[] = [
  { name: 'JavaScript', command: process.execPath, probe: ['--version'], run: [receiver('verify.mjs')] },
  { name: 'Python', command: 'python3', probe: ['--version'], run: [receiver('verify.py')] },
  { name: 'Perl', command: 'perl', probe: ['-MDigest::SHA', '-e', '1'], run: [receiver('verify.pl')] },
  { name: 'shell with openssl', command: 'sh', probe: ['-c', 'openssl version'], run: [receiver('verify.sh')] },
  { name: 'Java', command: 'java', probe: ['--version'], run: [receiver('Verify.java')] },
  { name: 'Go', command: 'go', probe: ['version'], run: ['run', receiver('verify.go')] },
];
const present = languages.filter(({ command, probe }) => spawnSync(command, probe).status === 0);
const absent = languages.filter((language) => !present.includes(language)).map(({ name }) => name);
if (absent.length > 0)
  console.warn(`Signatures are NOT checked in ${absent.join(', ')}: not installed on this machine`);

/** Deliveries that the interface's own algorithm decides: one secret, whole seconds, no strict parsing. */
const vectors = readVectors('service').filter(
  ({ secrets, now, expected }) =>
    secrets.length === 1 &&
    Number.isInteger(now) &&
    (expected.ok || ['no_matching_signature', 'timestamp_too_old'].includes(expected.reason)),
);
const fresh: SignatureVector = {
  name: 'service: signed by this run',
  scheme: 'service',
  secrets: vectors[0]?.secrets ?? [],
  now: 1_772_355_600,
  headers: {
    'x-service-signature': createSigner(vectors[0]?.secrets[0] ?? '').service(1_772_355_599, Buffer.from('{"a":[]}')),
  },
  body: { encoding: 'utf8', content: '{"a":[]}' },
  expected: { ok: true, timestamp: 1_772_355_599 },
};
const cases = [...vectors, fresh];

describe(`the interface's algorithm in ${present.map(({ name }) => name).join(', ')}`, () => {
  let folder = '';
  let lines = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'signatures-'));
    const rows = cases.map(({ now, secrets, headers, body }, index) => {
      const path = join(folder, `${index}.body`);
      writeFileSync(path, Buffer.from(body.content, body.encoding));
      return [now, secrets[0], headers['x-service-signature'], path].join('\t');
    });
    lines = `${rows.join('\n')}\n`;
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('Node itself is always among the languages tried, on both verdicts', () => {
    expect(present.map(({ name }) => name)).toContain('JavaScript');
    expect(new Set(cases.map(({ expected }) => expected.ok))).toEqual(new Set([true, false]));
  });

  test.concurrent.for(present)('$name agrees on every delivery', { timeout: 120_000 }, async (language) => {
    const verdicts = await runReceiver(language, lines, folder);
    const seen = cases.map(({ name }, index) => `${name}: ${verdicts[index]}`);
    expect(seen).toEqual(cases.map(({ name, expected }) => `${name}: ${expected.ok ? 'valid' : 'invalid'}`));
    expect(verdicts).toHaveLength(cases.length);
  });
});

/** Feeds all lines to one receiver program and resolves with its output for each. */
function runReceiver({ command, run }: Language, input: string, cwd: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, run, { cwd, timeout: 110_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} failed: ${stderr}`, { cause: error }));
      else resolve(stdout.trimEnd().split(/\r?\n/));
    });
    child.stdin?.end(input);
  });
}
