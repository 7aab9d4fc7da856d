import type { Step } from '../../step.ts';
import { isBareAccount } from './names.ts';
import { isBlank, type Table } from './table.ts';

/** True if the accounts in a column may be those of counterparties: several, or another one than above the rows. */
export function haveOthers({ headers, preamble, records }: Table, at: number, dateAt: number | undefined, step: Step) {
  const own = preamble.flatMap(({ cells }) => cells.flatMap(ibansIn));
  const accounts = new Set(
    records.flatMap((record) => {
      step((record.cells[at]?.length ?? 0) + 1);
      const isRow = dateAt === undefined || /\d/.test(record.cells[dateAt] ?? '');
      return isRow && !isBlank(record) ? [compact(record.cells[at] ?? '')] : [];
    }),
  );
  // Numbers of the bank's own accounts are often no IBANs.
  if (!isBareAccount(headers[at] ?? '') && ![...accounts].some((account) => ibansIn(account).length > 0)) return false;
  return accounts.size > 1 || (own.length > 0 && ![...accounts].some((account) => own.includes(account)));
}

function compact(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

function ibansIn(text: string): string[] {
  const [iban] = /[A-Z]{2}\d{2}[A-Z\d]{10,30}/.exec(compact(text)) ?? [];
  return iban === undefined ? [] : [iban];
}
