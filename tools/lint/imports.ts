import { isTestPath, type NodeOf, pathInRepository, type Rule } from './rule.ts';

/** Packages that only the folders of `in` may import; those of `types` may import types. */
interface Owned {
  packages: string[];
  in: string[];
  types?: string[];
  why: string;
}

interface Closed {
  folder: string;
  packages: string[];
}

interface ImportTable {
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
const importTableSchema = record(['owned', 'closed'], {
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

/** oxlint has validated the options against the schema. */
function readImportTable([table]: readonly unknown[]): ImportTable {
  return table as ImportTable;
}

const CONFIG = /\.config\.ts$/;

type Declaration = NodeOf<'ImportDeclaration'> | NodeOf<'ExportNamedDeclaration'> | NodeOf<'ExportAllDeclaration'>;

function names(entry: string, specifier: string): boolean {
  return specifier === entry || specifier.startsWith(entry.endsWith('/') ? entry : `${entry}/`);
}

function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

function isTypeOnly(node: Declaration): boolean {
  if (node.type === 'ImportDeclaration') {
    const all =
      node.specifiers.length > 0 && node.specifiers.every((s) => 'importKind' in s && s.importKind === 'type');
    return node.importKind === 'type' || all;
  }
  return node.exportKind === 'type';
}

function messageFor(table: ImportTable, path: string, specifier: string, typeOnly: boolean): string | undefined {
  if (specifier.startsWith('.')) {
    return isTestPath(specifier) ? 'A source must not import from tests.' : undefined;
  }
  const closed = table.closed.find(({ folder }) => isIn(folder, path));
  if (closed && !closed.packages.some((entry) => names(entry, specifier))) {
    return `${closed.folder} imports only ${closed.packages.join(', ')}.`;
  }
  const owned = table.owned.find(({ packages }) => packages.some((entry) => names(entry, specifier)));
  if (!owned || owned.in.some((folder) => isIn(folder, path))) return undefined;
  if (typeOnly && owned.types?.some((folder) => folder === '*' || isIn(folder, path))) return undefined;
  return `${owned.why} (${specifier}).`;
}

/**
 * The table in .oxlintrc.json says which folder may import which package. Tests and configuration files are exempt: their
 * manifest and `turbo boundaries` apply. The rule does not see a computed `import(name)`.
 */
export const imports: Rule = {
  meta: { schema: [importTableSchema] },
  create(context) {
    const path = pathInRepository(context);
    if (isTestPath(path) || CONFIG.test(path)) return {};
    const table = readImportTable(context.options);
    const check = (node: Declaration | NodeOf<'ImportExpression'>, specifier: unknown, typeOnly: boolean): void => {
      if (typeof specifier !== 'string') return;
      const message = messageFor(table, path, specifier, typeOnly);
      if (message !== undefined) context.report({ node, message });
    };
    const declaration = (node: Declaration): void => check(node, node.source?.value, isTypeOnly(node));
    return {
      ImportDeclaration: declaration,
      ExportNamedDeclaration: declaration,
      ExportAllDeclaration: declaration,
      ImportExpression: (node) => check(node, 'value' in node.source ? node.source.value : undefined, false),
    };
  },
};
