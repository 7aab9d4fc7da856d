// Risk: an operation's TypeScript example does not compile or fails.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, test } from 'vitest';
import { expectExamplesToSucceed } from '../../apps/api/test/run-examples.ts';
import { type Application, compilers, installApplication } from '../../packages/client/test/application.ts';

let application: Application;
beforeAll(() => {
  application = installApplication();
}, 180_000);
afterAll(() => application.remove());

test('the TypeScript example of every operation compiles and succeeds', { timeout: 180_000 }, () =>
  expectExamplesToSucceed('typescript', async (examples, env) => {
    const folder = join(application.folder, 'examples');
    mkdirSync(folder);
    const node = async (args: string[]): Promise<string> =>
      (await promisify(execFile)(process.execPath, args, { cwd: application.folder, env, maxBuffer: 2 ** 24 })).stdout;
    const files = examples.map(({ code }, index) => {
      const file = join(folder, `${index}.ts`);
      writeFileSync(file, code);
      return file;
    });
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    await node([compilers[7], ...options, ...files]);
    const imports = examples.map(
      ({ id }, index) =>
        `await import('./${index}.js').then(() => console.log('# ${id}: ok'), (error) => console.log('# ${id}: ' + error));`,
    );
    writeFileSync(join(folder, 'main.js'), imports.join('\n'));
    return node([join(folder, 'main.js')]);
  }),
);
