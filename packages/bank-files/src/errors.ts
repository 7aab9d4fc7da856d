export interface Position {
  line: number;
  column: number;
}

export interface Place {
  line?: number | undefined;
  column?: number | undefined;
  /** In a ZIP archive. */
  file?: string | undefined;
}

/** The file can't be read: nothing of it is imported. */
export class BankFileError extends Error {
  readonly place: Place;
  /** The message without the position. */
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

export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
