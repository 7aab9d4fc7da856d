/**
 * @finhook/bank-files: bank files (CSV, OFX and QFX, CAMT.053, MT940, BAI2) as rows of the ingest endpoints. Works in
 * Node and in browsers. Reads no clock, opens no file and no socket, and knows no rule about records: `dry_run=true`
 * asks the service for its own.
 */
export { type CsvMapping, type CsvPreview, previewCsv } from './formats/csv/read-csv.ts';
export { BankFileError } from './errors.ts';
export { type BankFile, type BankFileOptions, detectFormat, parseBankFile } from './interpret.ts';
export { type PlannedRequest, planRequests } from './import/plan-requests.ts';
export {
  createListener,
  READ_TIMEOUT_MS,
  ReadingWorker,
  ReadTimeout,
  type StartedWorker,
  type WorkerEvents,
} from './reading-worker.ts';
export { type SkippedRow, skippedRowsCsv, skippedRowsOf } from './import/skipped-rows.ts';
export { type FileAccount, type FileFormat, type FileProblem, type FileTransaction, isSkipped } from './statement.ts';
