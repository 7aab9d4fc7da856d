import type { Answers, Question, ReadingContext } from '../questions.ts';
import type { Step } from '../step.ts';
import type { CsvPreview, CsvReading } from './csv/mapping.ts';

export interface ReaderInput {
  answers: Answers;
  context: ReadingContext;
}

/** What a reader finds in the text of a file. */
interface FormatReading {
  /**
   * The ways to read it, best first, and none that the answers exclude. The first needs no proof. Empty if it can't be
   * read before the questions are answered.
   */
  readings: Iterable<CsvReading>;
  /** Questions that no proof can decide. */
  questions: Question[];
  /** Only of CSV files. */
  csv?: CsvPreview;
}

/**
 * Reads the text of a file of one format.
 *
 * @throws {BankFileError} for a text that cannot be read as a whole
 * @throws {AnswerError} for an answer that doesn't fit it
 */
export type Reader = (text: string, input: ReaderInput, step: Step) => FormatReading;
