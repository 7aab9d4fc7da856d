import type { FileFormat } from '../statement.ts';
import { readBai2 } from './bai2.ts';
import { readCamt } from './camt.ts';
import { readCsv } from './csv/read-csv.ts';
import { readMt940 } from './mt940.ts';
import { readOfx } from './ofx.ts';
import type { Reader } from './reader.ts';

export const readers: Readonly<Record<FileFormat, Reader>> = {
  csv: readCsv,
  ofx: readOfx,
  'camt.053': readCamt,
  mt940: readMt940,
  bai2: readBai2,
};
