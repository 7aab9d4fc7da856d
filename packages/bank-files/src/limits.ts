import { BankFileError, type Place } from './errors.ts';

/** Larger files are rejected before decoding. */
export const MAX_BYTES = 64 * 1024 * 1024;

export const MAX_ROWS = 200_000;

export function tooManyRows(place: Pick<Place, 'line' | 'file'>): BankFileError {
  return new BankFileError(`more than ${MAX_ROWS} rows: split the file`, place);
}
