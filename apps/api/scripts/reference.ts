import {
  allEventTypes,
  deprecationNotice,
  errors,
  eventDefinition,
  type Operation,
  operationList,
} from '@finhook/contracts';
import { table } from '../src/docs/markdown-text.ts';
import { exportColumns, hasSpreadsheet } from '../src/operations/list-exports.ts';

/** The generated pages of docs/reference, by file name. */
export function referencePages(list: readonly Operation[] = operationList): Readonly<Record<string, string>> {
  return { 'operations.md': operationsPage(list), 'events.md': eventsPage(), 'errors.md': errorsPage() };
}

const generated = '<!-- Made from the tables in packages/contracts by `pnpm run docs`. -->\n';

function routesOf({ http }: Operation): string {
  return [http, ...(http.aliases ?? [])].map(({ method, path }) => `\`${method} ${path}\``).join(', ');
}

function emitsOf({ emits, emitsLater = [] }: Operation): string {
  const later = emitsLater.filter((type) => !emits.includes(type));
  return [...emits.map((type) => `\`${type}\``), ...later.map((type) => `\`${type}\` (later)`)].join(', ');
}

function formatsOf(operation: Operation): string {
  if (hasSpreadsheet(operation)) return ' (`?format=csv`, `ndjson`, `spreadsheet`)';
  return exportColumns(operation) ? ' (`?format=csv`, `ndjson`)' : '';
}

function deprecationsOf({ deprecated, deprecatedFields = {} }: Operation): string[] {
  const fields = Object.entries(deprecatedFields).map(([name, field]) => `\`${name}\`: ${deprecationNotice(field)}`);
  return [...(deprecated ? [deprecationNotice(deprecated)] : []), ...fields];
}

function operationsPage(list: readonly Operation[]): string {
  const rows = list.map((operation) => [
    `\`${operation.id}\``,
    routesOf(operation) + formatsOf(operation),
    operation.scopes.join(', '),
    emitsOf(operation),
    [operation.summary, ...deprecationsOf(operation)].join('. '),
  ]);
  const head = ['tRPC procedure', 'REST (below `/api/v1`)', 'Scopes', 'Emits', 'What it does'];
  return `${generated}
# Operations

Each operation is a tRPC procedure at \`/trpc\` and one or more REST routes; both run the same code. Fields, limits and
responses are in \`/api/v1/openapi.json\`.

${table(head, rows)}
`;
}

function eventsPage(): string {
  const groups = Map.groupBy(allEventTypes, (type) => eventDefinition(type).group);
  const sections = [...groups].map(([group, types]) => {
    const rows = types.map((type) => {
      return [`\`${type}\``, eventDefinition(type).description];
    });
    return `## ${group}\n\n${table(['Event', 'When'], rows)}`;
  });
  return `${generated}
# Events

Each event is sent as \`{ id, type, created_at, account_id, company_id?, data }\`. The JSON Schema of each \`data\` and a
sample are in \`GET /api/v1/event-types\` and in the \`webhooks\` section of \`/api/v1/openapi.json\`. An endpoint whose
\`events\` are empty gets all of them but the operational ones, which it asks for by name or with \`operational: true\`.

${sections.join('\n\n')}
`;
}

function errorsPage(): string {
  const rows = Object.entries(errors).map(([code, { status, title, meaning, action, retryable }]) => [
    `\`${code}\``,
    String(status),
    title,
    meaning,
    action,
    retryable ? 'yes' : 'no',
  ]);
  return `${generated}
# Errors

Every error is an RFC 9457 document (\`application/problem+json\`); over tRPC it is in \`error.data.problem\`. \`code\`
is stable, texts may change. \`type\` is the URL of a page about the code (\`/docs/errors/<code>\`), relative to the
service. \`retryable\` says whether the same request may succeed later. A \`validation_failed\` problem lists the faulty
fields in \`errors\`, and fields that the request does not have in \`warnings\`.

${table(['Code', 'Status', 'Title', 'Meaning', 'What to do', 'Retryable'], rows)}
`;
}
