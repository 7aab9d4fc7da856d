import type { Step } from '../../step.ts';
import { isEmpty, isSigned, parseAmount } from './amounts.ts';
import { looksLikeDate } from './dates.ts';
import type { Table } from './table.ts';
import { readSummary } from './words.ts';

export const SAMPLE = 500;

interface Cells {
  /** Without empty cells and totals. */
  filled: string[];
  /** And dashes, which are empty or mean money out. */
  words: string[];
}

export class Samples {
  readonly #table: Table;
  readonly #step: Step;
  #cells: ReadonlyMap<number, Readonly<Cells>> | undefined;

  constructor(table: Table, step: Step) {
    this.#table = table;
    this.#step = step;
  }

  of(i: number): readonly string[] {
    this.#cells ??= this.#readAll();
    return this.#cells.get(i)?.filled ?? [];
  }

  /** Cells that may be directions: a dash may be one. */
  wordsOf(i: number): readonly string[] {
    this.#cells ??= this.#readAll();
    return this.#cells.get(i)?.words ?? [];
  }

  isSigned(i: number): boolean {
    return this.of(i).some(isSigned);
  }

  hasBothSigns(i: number): boolean {
    const isNegative = (cell: string): boolean => parseAmount(cell)?.isNegative === true;
    return this.of(i).some(isNegative) && !this.of(i).every(isNegative);
  }

  likelyAmount(columns: readonly number[]): number | undefined {
    const amounts = columns.filter((i) => {
      const cells = this.of(i);
      return cells.length > 0 && cells.every((cell) => parseAmount(cell) !== undefined);
    });
    const isDecimal = (i: number): boolean => this.of(i).some((cell) => /\d[.,]\d{1,3}\b/.test(cell));
    return amounts.find((i) => this.isSigned(i)) ?? amounts.find((i) => isDecimal(i)) ?? amounts[0];
  }

  /** The column with the longest words. */
  likelyDescription(columns: readonly number[]): number | undefined {
    const texts = columns.filter((i) =>
      this.of(i).some((cell) => /\p{L}/u.test(cell) && !looksLikeDate(cell) && parseAmount(cell) === undefined),
    );
    const length = (i: number): number => this.of(i).reduce((sum, cell) => sum + cell.length, 0);
    return texts.map((i) => ({ i, length: length(i) })).toSorted((a, b) => b.length - a.length)[0]?.i;
  }

  /** By cell: in a wide table, short rows have no cell in most columns. */
  #readAll(): ReadonlyMap<number, Readonly<Cells>> {
    const samples = new Map<number, Cells>();
    for (const { cells } of this.#table.records.slice(0, SAMPLE)) {
      for (const [i, text] of cells.entries()) {
        const cell = text.trim();
        this.#step(cell.length + 1);
        if (cell === '' || readSummary(cell) !== undefined) continue;
        const sample = samples.get(i) ?? { filled: [], words: [] };
        samples.set(i, sample);
        sample.words.push(cell);
        if (!isEmpty(cell)) sample.filled.push(cell);
      }
    }
    return samples;
  }
}
