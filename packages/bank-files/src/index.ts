/**
 * @finhook/bank-files: bank files (CSV, OFX and QFX, CAMT.053, MT940, BAI2) as rows of the ingest endpoints. Works in
 * Node and in browsers. Reads no clock, opens no file and no socket, and knows no rule about records: `dry_run=true`
 * asks the service for its own.
 */
export { AnswerError, BankFileError } from './errors.ts';
export type { CsvColumns, CsvMapping, CsvPreview } from './formats/csv/mapping.ts';
export { type PlannedRequest, planRequests } from './import/plan-requests.ts';
export { type SkippedRow, skippedRowsCsv, skippedRowsOf } from './import/skipped-rows.ts';
export { type BankFile, type FileAccount, type FileTransaction, readBankFile } from './interpret.ts';
export type { Answers, Question, ReadingContext } from './questions.ts';
export {
  createListener,
  READ_TIMEOUT_MS,
  ReadingWorker,
  ReadTimeout,
  type StartedWorker,
  type WorkerEvents,
} from './reading-worker.ts';
export { type FileFormat, type FileProblem, isSkipped } from './statement.ts';
export { dayIn } from './values.ts';
