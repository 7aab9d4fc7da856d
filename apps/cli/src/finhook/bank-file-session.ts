import {
  AnswerError,
  type Answers,
  type BankFile,
  type CsvMapping,
  csvFields,
  dateFormats,
  dayIn,
  type ReadingContext,
} from '@finhook/bank-files';
import type { Reading } from './bank-file-reading.ts';
import { readMappings, type SavedMapping, saveMapping } from './csv-mappings.ts';
import { usageFailure } from './failure.ts';
import { answersOf, columnsOf, type FileFlags, labelOf, mappingOf, mergeColumns } from './ingest-answers.ts';
import type { Session } from './session.ts';

interface FileSessionOptions {
  reading: Reading;
  bytes: Uint8Array<ArrayBuffer>;
  flags: FileFlags;
  session: Session;
  timeZone: string;
  baseCurrency: string | undefined;
}

export class BankFileSession {
  answers: Answers;
  readonly #options: FileSessionOptions;

  constructor(options: FileSessionOptions) {
    this.#options = options;
    this.answers = answersOf(options.flags);
  }

  async read(storedCurrencies: Readonly<Record<string, string>> = {}): Promise<BankFile> {
    try {
      return await this.#read(this.answers, storedCurrencies);
    } catch (error) {
      const label = labelOf(this.#options.flags);
      if (!(error instanceof AnswerError) || label === undefined || this.answers.connection === label) throw error;
      // Without accounts in the file, `a=b` is the label of a connection.
      const answers = { ...this.answers, connection: label };
      const file = await this.#read(answers, storedCurrencies).catch(() => undefined);
      if (file === undefined || file.accounts.some(({ account }) => account !== '')) throw error;
      this.answers = answers;
      return file;
    }
  }

  async #read(answers: Answers, storedCurrencies: Readonly<Record<string, string>>): Promise<BankFile> {
    const { reading, bytes, timeZone, baseCurrency } = this.#options;
    const today = dayIn(timeZone, new Date());
    const context: ReadingContext = { timeZone, today, baseCurrency, storedCurrencies };
    return reading.call('read', { bytes, answers, context });
  }

  async open(): Promise<BankFile> {
    const { flags, session } = this.#options;
    const own = mappingOf(flags, dateFormats);
    const named = this.#namedMapping();
    this.answers = { ...this.answers, csv: { ...named?.mapping, ...own } };
    const first = await this.read();
    const { csv } = first;
    if (csv === null) {
      this.answers = answersOf(flags);
      if (typeof flags.mapping === 'string' || flags.map !== undefined)
        throw usageFailure(`--map and --mapping are for CSV, and the file is read as ${first.format}.`);
      return first;
    }
    if (named) session.output.say(`Columns as in the saved mapping ${String(flags.mapping)}.`);
    if (flags.map === undefined && named === undefined) return first;
    const given = columnsOf(flags.map ?? [], { headers: csv.headers, fields: csvFields });
    const columns = named ? mergeColumns(named.mapping.columns, given, csvFields) : given;
    this.answers = { ...this.answers, csv: { ...this.answers.csv, columns } };
    return this.read();
  }

  #namedMapping(): SavedMapping | undefined {
    const { flags, session } = this.#options;
    return typeof flags.mapping === 'string' ? readMappings(session.env).get(flags.mapping) : undefined;
  }

  /** A saved mapping for the same columns, if no flag selects one. */
  similarMapping({ csv }: BankFile): { name: string; saved: SavedMapping } | undefined {
    const { flags, session } = this.#options;
    if (csv === null || flags.mapping !== undefined || flags.map !== undefined) return undefined;
    const headers = JSON.stringify(csv.headers);
    const found = [...readMappings(session.env)].find(([, saved]) => JSON.stringify(saved.headers) === headers);
    return found && { name: found[0], saved: found[1] };
  }

  useMapping({ mapping: { columns, ...rest } }: SavedMapping): void {
    const all = mergeColumns(columns, {}, csvFields);
    this.answers = { ...this.answers, csv: { ...rest, ...this.answers.csv, columns: all } };
  }

  saveMapping({ csv }: BankFile): void {
    const { flags, session } = this.#options;
    if (csv === null || typeof flags.mapping !== 'string') return;
    const { header_record: _guess, ...mapping } = csv.mapping;
    const header_record = this.answers.csv?.header_record;
    const kept: CsvMapping = { ...mapping, ...(header_record === undefined ? {} : { header_record }) };
    saveMapping(session.env, flags.mapping, { headers: csv.headers, mapping: kept });
    session.output.say(`Saved as the mapping ${flags.mapping}. --mapping ${flags.mapping} reads the next file so.`);
  }
}
