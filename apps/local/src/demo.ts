import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@finhook/platform';
import { openDataFolder } from './data-folder.ts';
import { describeResult, isComplete } from './demo/describe-result.ts';
import { type DemoTarget, runDemo } from './demo/run-demo.ts';
import { readLocalEnv } from './env.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { startLocal } from './start-local.ts';

const cleanUp = new AsyncDisposableStack();

/** The service that runs on the data folder, or one of the demo's own in a folder that is removed afterwards. */
async function findOrStart(): Promise<DemoTarget> {
  const env = readLocalEnv();
  const running = openDataFolder(env.FINHOOK_DATA_DIR).running();
  if (running) {
    console.log(`Using the service at ${running.api_url}.`);
    return running;
  }
  console.log('No service runs on this folder: starting one for the demo, with data of its own.');
  const folder = mkdtempSync(join(tmpdir(), 'finhook-demo-'));
  chmodSync(folder, 0o711);
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const logger = createLogger({ name: 'demo', level: env.LOG_LEVEL });
  const own = await startLocal({ ...env, PORT: 0, FINHOOK_DATA_DIR: folder }, logger, exitWithSentence);
  cleanUp.defer(own.close);
  return own.info;
}

try {
  const result = await runDemo(await findOrStart(), (line) => console.log(`  ${line}`));
  console.log(describeResult(result));
  process.exitCode = isComplete(result) ? 0 : 1;
} catch (error) {
  await cleanUp.disposeAsync();
  exitWithSentence(error);
}
await cleanUp.disposeAsync();
