import { parentPort } from 'node:worker_threads';
import { createListener } from '@finhook/bank-files';
import { bankFileFunctions } from './bank-file-functions.ts';

const port = parentPort;
if (port === null) throw new Error('This file is for worker threads.');
port.on(
  'message',
  createListener(bankFileFunctions, (answer) => port.postMessage(answer)),
);
