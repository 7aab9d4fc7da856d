import { type Reading, report } from '../statement.ts';
import { readUnits } from '../values.ts';
import type { BaiRecord } from './bai2-records.ts';

/** A trailer of an account, a group or a file: a sum and counts. */
class Level {
  #sum: bigint | undefined = 0n;
  #records = 0;
  #parts = 0;

  start(): void {
    this.#sum = 0n;
    this.#records = 0;
    this.#parts = 0;
  }

  addRecords(count: number): void {
    this.#records += count;
  }

  /** @param amount digits or empty; anything else makes the sum unknown */
  addAmount(amount: string): void {
    if (amount.trim() === '' || this.#sum === undefined) return;
    const units = readUnits(amount);
    this.#sum = 'value' in units ? this.#sum + BigInt(units.value) : undefined;
  }

  addPart(amount: string): void {
    this.#parts += 1;
    this.addAmount(amount);
  }

  /** For example `its sum is 5, and the amounts add up to 7`. */
  differences(trailer: BaiRecord, partName?: string): string[] {
    const [sum = '', ...counts] = trailer.fields;
    const declared = [sum, ...(partName === undefined ? [undefined, ...counts] : counts)];
    const [, parts, records] = declared;
    const units = readUnits(sum);
    const isOther = 'value' in units && this.#sum !== undefined && BigInt(units.value) !== this.#sum;
    return [
      ...(isOther ? [`its sum is ${sum.trim()}, and the amounts add up to ${this.#sum}`] : []),
      ...(isOtherCount(parts, this.#parts) ? [`it counts ${parts} ${partName}, and there are ${this.#parts}`] : []),
      ...(isOtherCount(records, this.#records) ? [`it counts ${records} records, and there are ${this.#records}`] : []),
    ];
  }
}

function isOtherCount(declared: string | undefined, counted: number): boolean {
  const text = declared?.trim() ?? '';
  return /^\d{1,9}$/.test(text) && Number(text) !== counted;
}

/**
 * Compares trailers (49, 98 and 99) with records. Sums of accounts are unsigned; those of groups and files add up
 * trailers.
 */
export class ControlTotals {
  readonly #account = new Level();
  readonly #group = new Level();
  readonly #file = new Level();
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  add(record: BaiRecord, amounts: readonly string[]): void {
    const { code, count, fields } = record;
    if (code === '01') this.#file.start();
    if (code === '02') this.#group.start();
    if (code === '03') this.#account.start();
    for (const level of [this.#account, this.#group, this.#file]) level.addRecords(count);
    for (const amount of amounts) this.#account.addAmount(amount);
    if (code === '49') {
      this.#report(record, 'account', this.#account.differences(record));
      this.#group.addPart(fields[0] ?? '');
    }
    if (code === '98') {
      this.#report(record, 'group', this.#group.differences(record, 'accounts'));
      this.#file.addPart(fields[0] ?? '');
    }
    if (code === '99') this.#report(record, 'file', this.#file.differences(record, 'groups'));
  }

  #report({ line }: BaiRecord, what: string, differences: readonly string[]): void {
    if (differences.length === 0) return;
    const message = `the control total of the ${what} differs: ${differences.join('; ')}`;
    report(this.#reading, { line }, 'control_total', message);
  }
}
