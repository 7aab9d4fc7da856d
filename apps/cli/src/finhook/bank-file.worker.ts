import module from 'node:module';
import { parentPort } from 'node:worker_threads';

// Threads enable their own cache, for modules imported later. Node 20 has none.
module.enableCompileCache?.();
const { createListener } = await import('@finhook/bank-files');
const { bankFileFunctions } = await import('./bank-file-functions.ts');

const port = parentPort;
if (port === null) throw new Error('This file is for worker threads.');
const call = createListener(bankFileFunctions, (answer) => port.postMessage(answer));
port.on('message', (message) => {
  if (message === null) port.close();
  else call(message);
});
