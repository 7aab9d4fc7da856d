import { BankFileError, positionAt } from '../../errors.ts';
import { MAX_ROWS, tooManyRows } from '../../limits.ts';
import type { Step } from '../../step.ts';

export interface CsvRecord {
  line: number;
  cells: string[];
}

export const MAX_HEADER_RECORD = 40;

/**
 * Splits by RFC 4180; a quotation mark inside a cell is text unless the cell ends after it. @throws {BankFileError} for
 * an unclosed quotation, or too many records
 */
export function splitRecords(text: string, delimiter: string, step: Step): CsvRecord[] {
  const splitter = new Splitter(text, delimiter);
  const records: CsvRecord[] = [];
  while (!splitter.isAtEnd()) {
    const from = splitter.at;
    const record = splitter.readRecord();
    step(splitter.at - from + record.cells.length);
    if (record.cells.length === 1 && record.cells[0] === '') continue;
    records.push(record);
    if (records.length > MAX_ROWS + MAX_HEADER_RECORD) throw tooManyRows({ line: record.line });
  }
  return records;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SAMPLE = 20_000;
const SAMPLE_RECORDS = 50;

/** The delimiter that gives most records the same number of cells, at least two. */
export function guessDelimiter(text: string, step: Step): string {
  const declared = /^\ufeff?"?sep=([^\r\n])"?[\r\n]/i.exec(text)?.[1];
  if (declared !== undefined) return declared;
  const sample = text.slice(0, SAMPLE);
  const scores = DELIMITERS.map((delimiter) => {
    const splitter = new Splitter(sample, delimiter, true);
    const counts = new Map<number, number>();
    for (let i = 0; i < SAMPLE_RECORDS && !splitter.isAtEnd(); i++) {
      const from = splitter.at;
      const { length } = splitter.readRecord().cells;
      step(splitter.at - from);
      if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    }
    const [width = 0, count = 0] = [...counts].toSorted(([a, m], [b, n]) => n - m || b - a)[0] ?? [];
    return { delimiter, width, count };
  });
  return scores.toSorted((a, b) => b.count - a.count || b.width - a.width)[0]?.delimiter ?? ',';
}

class Splitter {
  readonly #text: string;
  readonly #delimiter: string;
  readonly #isSample: boolean;
  #line = 1;
  at: number;

  constructor(text: string, delimiter: string, isSample = false) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#isSample = isSample;
    this.at = text.startsWith('\ufeff') ? 1 : 0;
  }

  isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  readRecord(): CsvRecord {
    const line = this.#line;
    const cells: string[] = [];
    for (;;) {
      cells.push(this.#readQuoted() ?? this.#readPlain());
      if (!this.#text.startsWith(this.#delimiter, this.at)) break;
      this.at += this.#delimiter.length;
    }
    if (!this.isAtEnd()) {
      this.at += this.#text.startsWith('\r\n', this.at) ? 2 : 1;
      this.#line += 1;
    }
    return { line, cells };
  }

  #readPlain(): string {
    const from = this.at;
    while (!this.#isEnd(this.at)) this.at += 1;
    return this.#text.slice(from, this.at);
  }

  /** Undefined if the cell is not quoted, or has quotation marks only as text. */
  #readQuoted(): string | undefined {
    const text = this.#text;
    const open = this.#skipSpaces(this.at);
    if (text[open] !== '"') return undefined;
    const parts: string[] = [];
    let from = open + 1;
    let isStray = false;
    let lines = 0;
    for (let last = open, i = text.indexOf('"', from); ; last = i, i = text.indexOf('"', i + 1)) {
      if (i === -1) return this.#unclosed(open);
      lines += countLines(text.slice(last, i));
      // With a stray quotation mark, the cell ends on its line and before the next quoted one.
      if (isStray && (lines > 0 || text.endsWith(this.#delimiter, i))) return undefined;
      const end = this.#skipSpaces(i + 1);
      const isEnd = this.#isEnd(end);
      if (!isEnd && text[i - 1] === '\\' && i > from) {
        parts.push(text.slice(from, i - 1));
        from = i;
      } else if (text[i + 1] === '"') {
        parts.push(text.slice(from, i + 1));
        i += 1;
        from = i + 1;
      } else if (isEnd) {
        this.#line += lines;
        this.at = end;
        return parts.join('') + text.slice(from, i);
      } else {
        isStray = true;
      }
    }
  }

  #unclosed(open: number): undefined {
    if (this.#isSample) return undefined;
    throw new BankFileError('not a CSV file: a quotation mark is not closed', positionAt(this.#text, open));
  }

  #isEnd(at: number): boolean {
    const char = this.#text[at];
    return char === undefined || char === '\n' || char === '\r' || this.#text.startsWith(this.#delimiter, at);
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (this.#text[at] === ' ' && !this.#text.startsWith(this.#delimiter, at)) at += 1;
    return at;
  }
}

function countLines(text: string): number {
  return text.match(/\r\n|[\r\n]/g)?.length ?? 0;
}
