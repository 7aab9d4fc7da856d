import { fieldNamed, fieldOf, type Operation } from '@finhook/contracts';
import { z } from 'zod';

const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportTypes: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

export const formatParameter = z
  .enum(['json', ...exportFormats])
  .optional()
  .meta({
    description:
      '`csv` and `ndjson` return all rows that match the filters instead of one page. `limit` is ignored then, and `after` sets the start.',
  });

/** CSV columns: the fields of the records. Undefined unless the operation is a paged list. */
export function exportColumns({ kind, http, input, output }: Operation): readonly string[] | undefined {
  if (kind !== 'query' || http.method !== 'GET') return undefined;
  const parameters = fieldOf(input, 'input');
  const isPaged = ['after', 'order'].every((name) => fieldNamed(parameters, name) !== undefined);
  const record = fieldNamed(fieldOf(output, 'output'), 'data')?.item;
  return isPaged ? record?.fields?.map(({ name }) => name) : undefined;
}
