/**
 * Evaluated when the dashboard is built: the bundle holds the values of the exports, and no schema that they come from.
 * What forms and filters are made of.
 */
import { type CatalogueField, catalogue } from '@finhook/contracts/catalogue';

const entries = catalogue();

/** Fields of each mutation by name. */
export const fields: Readonly<Record<string, Readonly<Record<string, CatalogueField>>>> = Object.fromEntries(
  entries
    .filter(({ kind }) => kind === 'mutation')
    .map(({ id, input }) => [
      id,
      // Descriptions are written for developers, and are most of the bytes.
      Object.fromEntries(input.map((field) => [field.name, { ...field, description: undefined }])),
    ]),
);

/** Values of the enumerations among the filters of each list, by name. */
export const filters: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = Object.fromEntries(
  entries
    .filter(({ kind }) => kind === 'query')
    .map(({ id, input }) => [
      id,
      Object.fromEntries(
        input.flatMap(({ name, options }) =>
          options === undefined || name === 'order' || name === 'include' ? [] : [[name, options]],
        ),
      ),
    ]),
);
