import { quote } from '../../errors.ts';
import type { Question } from '../../questions.ts';
import { type CsvField, csvFields } from './mapping.ts';
import type { Samples } from './samples.ts';
import type { Table } from './table.ts';

const optional: ReadonlySet<CsvField> = new Set(['description', 'account', 'direction', 'currency', 'debit', 'credit']);

/** The names of a table's columns, and the questions which column has a field. */
export class ColumnQuestions {
  readonly #headers: readonly string[];
  readonly #samples: Samples;
  readonly #byHeader: ReadonlyMap<string, number[]>;
  #questions: Question[] = [];

  constructor({ headers }: Table, samples: Samples) {
    this.#headers = headers;
    this.#samples = samples;
    this.#byHeader = Map.groupBy(headers.keys(), (i) => headers[i] ?? '');
  }

  named(header: string): readonly number[] {
    return this.#byHeader.get(header) ?? [];
  }

  /** The columns with this header, or else with this number. */
  find(name: string): readonly number[] {
    const named = this.#byHeader.get(name.trim());
    const number = /^[1-9]\d{0,4}$/.test(name) ? Number(name) : 0;
    return named ?? (number > 0 && number <= this.#headers.length ? [number - 1] : []);
  }

  /** The header, or the column's number if the header is empty or repeated. */
  #nameOf(i: number): string {
    const header = this.#headers[i] ?? '';
    return header !== '' && this.#byHeader.get(header)?.length === 1 ? header : String(i + 1);
  }

  quoted(i: number): string {
    return quote(this.#nameOf(i));
  }

  namesOf(at: readonly number[]): string | string[] {
    const [name = '', ...others] = at.map((i) => this.#nameOf(i));
    return others.length === 0 ? name : [name, ...others];
  }

  ask(field: CsvField, reason = ''): void {
    const choices = this.#headers.map((header, i) => {
      const value = this.#nameOf(i);
      const example = this.#samples.of(i)[0];
      const label =
        value === header || header === '' ? `${header === '' ? 'Column ' : ''}${value}` : `${header} (column ${value})`;
      return { value, label, ...(example === undefined ? {} : { example: example.slice(0, 40) }) };
    });
    this.#questions.push({
      code: 'column',
      about: field,
      message: `${reason}Which column has the ${field === 'external_id' ? 'id' : field}?`,
      choices: optional.has(field) ? [...choices, { value: '', label: 'None' }] : choices,
      flag: `--map ${field}=COLUMN`,
    });
  }

  isAsked(field: CsvField): boolean {
    return this.#questions.some(({ about }) => about === field);
  }

  drop(fields: readonly CsvField[]): void {
    this.#questions = this.#questions.filter(({ about }) => !fields.some((field) => field === about));
  }

  /** Adds the likely column of each field, by which the file is read while the question is open. */
  suggesting(columnOf: (field: CsvField) => number | undefined): Question[] {
    return this.#questions.map((question) => {
      const field = csvFields.find((each) => each === question.about);
      const at = field === undefined ? undefined : columnOf(field);
      return at === undefined ? question : { ...question, suggestion: this.#nameOf(at) };
    });
  }
}
