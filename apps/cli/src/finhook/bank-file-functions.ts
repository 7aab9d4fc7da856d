import { type Answers, type BankFile, type ReadingContext, readBankFile } from '@finhook/bank-files';

interface ReadInput {
  bytes: Uint8Array<ArrayBuffer>;
  answers: Answers;
  context: ReadingContext;
}

export const bankFileFunctions = {
  read: async ({ bytes, answers, context }: ReadInput): Promise<BankFile> => readBankFile(bytes, answers, context),
};
