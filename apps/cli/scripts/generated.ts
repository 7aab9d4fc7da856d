import {
  errors,
  type HttpRoute,
  type Operation,
  operationGroups,
  operationList,
  pathParameterDescriptions,
} from '@finhook/contracts';
import { catalogue } from '@finhook/contracts/catalogue';
import { commandPath, flagName } from '../src/finhook/names.ts';
import type { Table, TableOperation } from '../src/finhook/table.ts';

function operationOf(operation: Operation, { scopes, permission, emits, input }: CatalogueEntry): TableOperation {
  const { method, path, query = [] }: HttpRoute & Pick<Operation['http'], 'query'> = operation.http;
  return {
    id: operation.id,
    summary: operation.summary,
    description: operation.description,
    method,
    path,
    query,
    scopes,
    permission,
    emits,
    fields: input.map((field) => ({
      ...field,
      description: field.description ?? pathParameterDescriptions[field.name],
    })),
  };
}
type CatalogueEntry = ReturnType<typeof catalogue>[number];

function table(): Table {
  const byId = new Map(operationList.map((operation) => [operation.id, operation]));
  return {
    groups: Object.fromEntries(Object.entries(operationGroups).map(([key, { description }]) => [key, description])),
    actions: Object.fromEntries(Object.entries(errors).map(([code, { action }]) => [code, action])),
    operations: catalogue().flatMap((entry) => {
      const operation = byId.get(entry.id);
      return operation ? [operationOf(operation, entry)] : [];
    }),
  };
}

function commandsPage({ operations }: Table): string {
  const rows = operations.map(({ id, path, fields, summary }) => {
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const flags = fields.filter(({ name }) => !ids.includes(name));
    const required = flags.filter((field) => field.required).map(({ name }) => `\`${flagName(name)}\``);
    const call = ['finhook', ...commandPath(id), ...ids.map((name) => `<${name}>`)].join(' ');
    return `| \`${call}\` | ${required.join(', ')} | ${summary} |`;
  });
  return `<!-- Made from the tables in packages/contracts by \`pnpm run docs\`. -->

# Commands

One command per operation. \`--help\` of a command lists all of its flags; [command-line.md](../command-line.md) describes
the rest of the command line.

| Command | Required flags | What it does |
| --- | --- | --- |
${rows.join('\n')}
`;
}

/** With a line per operation, so that a change shows in a diff. */
function jsonOf({ operations, ...others }: Table): string {
  const rows = operations.map((each) => JSON.stringify(each));
  return `${JSON.stringify(others).slice(0, -1)},"operations":[\n${rows.join(',\n')}\n]}\n`;
}

/** The contents of the generated files, by their path in the repository. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const content = table();
  return {
    'apps/cli/src/finhook/table.gen.json': jsonOf(content),
    'docs/reference/commands.md': commandsPage(content),
  };
}
