import module from 'node:module';
import { parentPort } from 'node:worker_threads';

// A thread enables its own, and only modules that are imported later come from it. Node 20 has none.
module.enableCompileCache?.();
const { createListener } = await import('@finhook/bank-files');
const { bankFileFunctions } = await import('./bank-file-functions.ts');

const port = parentPort;
if (port === null) throw new Error('This file is for worker threads.');
const call = createListener(bankFileFunctions, (answer) => port.postMessage(answer));
port.on('message', (message) => {
  // Nothing more is read: the thread ends by itself.
  if (message === null) port.close();
  else call(message);
});
