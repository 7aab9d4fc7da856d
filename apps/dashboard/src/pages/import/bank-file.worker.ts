import { type Call, createBankFileReader } from './bank-file-reader.ts';

/** The call and its number, which the response repeats. */
type Numbered = Call & { id: number };

const read = createBankFileReader();

addEventListener('message', ({ data: { id, ...call } }: MessageEvent<Numbered>) => {
  read(call).then(
    (result) => postMessage({ id, result }),
    (error: unknown) => postMessage({ id, error: String(error) }),
  );
});
