import { fieldNamed, fieldOf, type Operation } from '@finhook/contracts';
import { z } from 'zod';

const rawFormats = ['csv', 'ndjson'] as const;
const exportFormats = [...rawFormats, 'spreadsheet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  spreadsheet: 'text/csv',
};

const description =
  '`csv` and `ndjson` return all rows that match the filters instead of one page. `limit` is ignored then, and `after` sets the start.';
const rawFormat = z
  .enum(['json', ...rawFormats])
  .optional()
  .meta({ description });
const anyFormat = z
  .enum(['json', ...exportFormats])
  .optional()
  .meta({
    description: `${description} So does \`spreadsheet\`, a CSV file for people: days and times in the time zone of the company, decimal amounts, the names of the accounts.`,
  });

const rawQuery = z.object({ format: rawFormat });
const anyQuery = z.object({ format: anyFormat });

/** True for a list that has a file for people. */
export function hasSpreadsheet({ id }: Operation): boolean {
  return id === 'bank.transactions.list';
}

/** The parameter `format` of a list. */
export function formatQuery(operation: Operation): typeof anyQuery | typeof rawQuery {
  return hasSpreadsheet(operation) ? anyQuery : rawQuery;
}

/** The formats of a list besides JSON. */
export function formatsOf(operation: Operation): readonly ExportFormat[] {
  return hasSpreadsheet(operation) ? exportFormats : rawFormats;
}

/** CSV columns: the fields of the records. Undefined unless the operation is a paged list. */
export function exportColumns({ kind, http, input, output }: Operation): readonly string[] | undefined {
  if (kind !== 'query' || http.method !== 'GET') return undefined;
  const parameters = fieldOf(input, 'input');
  const isPaged = ['after', 'order'].every((name) => fieldNamed(parameters, name) !== undefined);
  const record = fieldNamed(fieldOf(output, 'output'), 'data')?.item;
  return isPaged ? record?.fields?.map(({ name }) => name) : undefined;
}
