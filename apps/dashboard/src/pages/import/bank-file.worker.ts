import { createListener } from '@finhook/bank-files';
import { createBankFileReader } from './bank-file-reader.ts';

const listener = createListener(createBankFileReader(), (answer) => postMessage(answer));

addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(data));
