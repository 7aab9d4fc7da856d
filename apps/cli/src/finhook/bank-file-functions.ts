import {
  type BankFile,
  type BankFileOptions,
  type CsvMapping,
  type CsvPreview,
  detectFormat,
  type FileFormat,
  parseBankFile,
  previewCsv,
} from '@finhook/bank-files';

type Bytes = Uint8Array<ArrayBuffer>;

/** What the worker does with the bytes of a file. */
export const bankFileFunctions = {
  detect: ({ bytes }: { bytes: Bytes }): FileFormat => detectFormat(bytes),
  preview: ({ bytes, mapping }: { bytes: Bytes; mapping: Partial<CsvMapping> }): CsvPreview =>
    previewCsv(bytes, mapping),
  parse: async ({ bytes, options }: { bytes: Bytes; options: BankFileOptions }): Promise<BankFile> =>
    parseBankFile(bytes, options),
};
