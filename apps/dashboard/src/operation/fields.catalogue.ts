/** Data for forms and filters. Evaluated at build time, so that the bundle contains no schemas. */
import { type CatalogueField, catalogue } from '@finhook/contracts/catalogue';

const entries = catalogue();

export const fields: Readonly<Record<string, Readonly<Record<string, CatalogueField>>>> = Object.fromEntries(
  entries
    .filter(({ kind }) => kind === 'mutation')
    .map(({ id, input }) => [
      id,
      // Descriptions are for developers and take most of the bytes.
      Object.fromEntries(input.map((field) => [field.name, { ...field, description: undefined }])),
    ]),
);

/** REST paths below `/api/v1`, by list. */
export const listPaths: Readonly<Record<string, string>> = Object.fromEntries(
  entries.filter(({ id }) => id.endsWith('.list')).map(({ id, http }) => [id, http.path]),
);

export const filters: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = Object.fromEntries(
  entries
    .filter(({ kind }) => kind === 'query')
    .map(({ id, input }) => [
      id,
      Object.fromEntries(
        input.flatMap(({ name, options }) =>
          options === undefined || ['order', 'sort', 'include'].includes(name) ? [] : [[name, options]],
        ),
      ),
    ]),
);
