// Risk: somebody copies the curl example of an operation from its page, and it fails.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { shapes } from './operation-walk.ts';
import { expectExamplesToSucceed } from './run-examples.ts';

const missing = spawnSync('curl', ['--version']).status !== 0;

// The tests of the SDKs run the examples of every operation.
test.skipIf(missing)('the curl example of an operation of each shape succeeds', () =>
  expectExamplesToSucceed(
    'sh',
    async (examples, env) => {
      const lines = examples.map(
        ({ id, code }) => `response=$(${code}) && echo "# ${id}: ok" || echo "# ${id}: $response"`,
      );
      const script = ['curl() { command curl -sS --fail-with-body "$@"; }', ...lines].join('\n');
      const options = { env: { PATH: '/usr/bin:/bin', ...env } };
      return (await promisify(execFile)('bash', ['-c', script], options)).stdout;
    },
    shapes,
  ),
);
