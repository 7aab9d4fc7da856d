import type { Answers, Question, ReadingContext } from '../questions.ts';
import type { Step } from '../step.ts';
import type { CsvPreview, CsvReading } from './csv/mapping.ts';

export interface ReaderInput {
  answers: Answers;
  context: ReadingContext;
}

interface FormatReading {
  /** Likeliest first. The first may be used without proof by balances. Empty if questions must be answered first. */
  readings: Iterable<CsvReading>;
  /** Questions that no balance can decide. */
  questions: Question[];
  csv?: CsvPreview;
}

/** @throws {BankFileError} for a text that can't be read @throws {AnswerError} for an answer that doesn't fit it */
export type Reader = (text: string, input: ReaderInput, step: Step) => FormatReading;
