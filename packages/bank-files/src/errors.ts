/** Where something stands in a file, both from 1. */
export interface Position {
  line: number;
  column: number;
}

/** The file as a whole cannot be read: nothing of it should be imported. */
export class BankFileError extends Error {
  readonly line: number;
  readonly column: number;
  /** The message without the place. */
  readonly reason: string;

  constructor(message: string, { line, column }: Position = { line: 1, column: 1 }) {
    super(`Line ${line}, column ${column}: ${message}`);
    this.name = 'BankFileError';
    this.reason = message;
    this.line = line;
    this.column = column;
  }
}

/** The file can be read, but not stored. */
export class UnstorableFile extends BankFileError {}

/** An answer does not fit the file. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/** The position of an offset into a text. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

/** A quotation for an error: short, on one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
