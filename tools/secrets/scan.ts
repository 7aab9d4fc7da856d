import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findSecrets } from './find-secrets.ts';

/** Secrets of the signature tests: ascending bytes, and a published sample. */
const SAMPLES = 'packages/signing/vectors/vectors.json';

const MAX_BYTES = 5 * 1024 * 1024;

function readFiles(): { path: string; text: string }[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = list.split('\0').filter((path) => path !== '' && path !== SAMPLES);
  return paths.flatMap((path) => {
    try {
      const bytes = readFileSync(path);
      return bytes.length > MAX_BYTES || bytes.includes(0) ? [] : [{ path, text: bytes.toString('utf8') }];
    } catch {
      // Deleted but not yet committed.
      return [];
    }
  });
}

const files = readFiles();
const found = files.flatMap(({ path, text }) => findSecrets(text).map((secret) => ({ path, ...secret })));
for (const { path, line, kind, start } of found) console.error(`${path}:${line}: ${kind} ${start}`);
if (found.length > 0) {
  console.error('Revoke what is real, and write samples in pieces so that no scanner takes them for secrets.');
  process.exit(1);
}
console.log(`No secret in ${files.length} files.`);
