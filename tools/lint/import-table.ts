/** Packages that only some folders may import, and others, where listed, as types only. */
interface Owned {
  packages: string[];
  in: string[];
  types?: string[];
  why: string;
}

/** A folder whose sources may import these packages and nothing else. */
interface Closed {
  folder: string;
  packages: string[];
}

export interface ImportTable {
  owned: Owned[];
  closed: Closed[];
}

const strings = { type: 'array' as const, items: { type: 'string' as const } };
const record = (required: string[], properties: Record<string, object>): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
/** What oxlint checks the table of .oxlintrc.json against. */
export const importTableSchema = record(['owned', 'closed'], {
  owned: {
    type: 'array',
    items: record(['packages', 'in', 'why'], {
      packages: strings,
      in: strings,
      types: strings,
      why: { type: 'string' },
    }),
  },
  closed: {
    type: 'array',
    items: record(['folder', 'packages'], { folder: { type: 'string' }, packages: strings }),
  },
});

/** The table among a rule's options, which oxlint has checked against the schema. */
export function readImportTable([table]: readonly unknown[]): ImportTable {
  return table as ImportTable;
}
