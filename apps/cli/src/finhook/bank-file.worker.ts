import module from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { Answers, BankFile, ReadingContext } from '@finhook/bank-files';

// Threads enable their own cache, for modules imported later. Node 20 has none.
module.enableCompileCache?.();
const { createListener, readBankFile } = await import('@finhook/bank-files');

interface ReadInput {
  bytes: Uint8Array<ArrayBuffer>;
  answers: Answers;
  context: ReadingContext;
}

const functions = {
  read: async ({ bytes, answers, context }: ReadInput): Promise<BankFile> => readBankFile(bytes, answers, context),
};
export type BankFileFunctions = typeof functions;

const port = parentPort;
if (port === null) throw new Error('This file is for worker threads.');
const call = createListener(functions, (answer) => port.postMessage(answer));
port.on('message', (message) => {
  if (message === null) port.close();
  else call(message);
});
