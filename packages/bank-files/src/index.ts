/**
 * @finhook/bank-files: reads bank files (CSV, OFX and QFX, CAMT.053, MT940, BAI2) into rows and balances, asks what
 * they leave open, and runs their import through an injected API. Works in Node and in browsers. Reads no clock, opens
 * no file and no socket, and knows no rule about records: a dry run asks the service.
 */
export { answerQuestion } from './answer-question.ts';
export { AnswerError, BankFileError, UnstorableFile } from './errors.ts';
export {
  type CsvAnswers,
  type CsvColumns,
  type CsvField,
  type CsvMapping,
  type CsvPreview,
  csvFields,
  type DateFormat,
  dateFormats,
} from './formats/csv/mapping.ts';
export type { BalanceReply, ImportApi, ImportFault, IngestReply, StoredRow } from './import/api.ts';
export { type PlannedRequest, planRequests } from './import/plan-requests.ts';
export { type ImportMessage, type ImportReport, reportOf } from './import/report.ts';
export { type Checked, checkImport, continueImport, type ImportRun, type Progress } from './import/run-import.ts';
export type { Outcome } from './import/send-request.ts';
export { skippedRowsCsv } from './import/skipped-rows.ts';
export { type BankFile, type FileAccount, type FileTransaction, readBankFile } from './interpret.ts';
export { MAX_BYTES } from './limits.ts';
export type { Answers, Question, ReadingContext } from './questions.ts';
export {
  createListener,
  READ_TIMEOUT_MS,
  ReadingWorker,
  ReadTimeout,
  type StartedWorker,
  type WorkerEvents,
} from './reading-worker.ts';
export { type AccountKind, type FileFormat, type FileProblem } from './statement.ts';
export { dayIn } from './values.ts';
