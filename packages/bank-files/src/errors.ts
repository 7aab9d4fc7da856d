/** Where something stands in a file, both from 1. */
export interface Position {
  line: number;
  column: number;
}

/** Where something stands, as far as there is a place: a file as a whole has none. */
export interface Place {
  line?: number | undefined;
  column?: number | undefined;
  /** Name of the file in a ZIP archive. */
  file?: string | undefined;
}

/** The file as a whole cannot be read: nothing of it should be imported. */
export class BankFileError extends Error {
  readonly place: Place;
  /** The message without the place. */
  readonly reason: string;

  constructor(reason: string, place: Place = {}) {
    const { file, line, column = 1 } = place;
    const parts = [
      ...(line === undefined ? [] : [`line ${line}, column ${column}`]),
      ...(file === undefined ? [] : [`${quote(file)} in the ZIP archive`]),
    ];
    const text = [...(parts.length > 0 ? [parts.join(' of ')] : []), reason].join(': ');
    super(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
    this.name = 'BankFileError';
    this.reason = reason;
    this.place = place;
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
