import {
  type AnyEventType,
  errorCodes,
  errorPage,
  errors,
  eventDefinition,
  eventEnvelope,
  fieldOf,
  type Operation,
} from '@finhook/contracts';
import { tagSlug } from '../rest/openapi/describe-operation.ts';
import { blocks, code, table } from './markdown-text.ts';
import { responseTable } from './operation-page.ts';
import { ERRORS, EVENTS, eventPath, OPERATIONS, operationPath, type Page, START } from './page.ts';
import { rowsOf } from './schema-fields.ts';

/** A tag of the OpenAPI document that has operations. */
export interface Tag {
  name: string;
  description: string;
  operations: readonly Operation[];
}

function link({ title, path }: Page): string {
  return `[${title}](${path})`;
}

function byGroup(pages: readonly Page[], lines: (members: readonly Page[]) => string): string[] {
  return [...Map.groupBy(pages, ({ group = '' }) => group)].flatMap(([group, members]) => [
    `### ${group}`,
    lines(members),
  ]);
}

function list(pages: readonly Page[]): string {
  return pages.map((page) => `- ${link(page)}: ${page.summary}`).join('\n');
}

const INTRODUCTION =
  "finhook stores a company's financial data (cash balances, bank transactions, financial statements) from any provider. " +
  'It sends every change to your endpoints as a signed webhook that is never lost.';

export function startPage(guides: readonly Page[], tags: readonly Tag[]): Page {
  const quickstart = guides.find(({ path }) => path === '/docs/quickstart');
  return {
    path: START,
    title: 'finhook',
    summary: INTRODUCTION,
    kind: 'Overview',
    markdown: () =>
      blocks(
        '# finhook',
        INTRODUCTION,
        quickstart && `**[${quickstart.title}](${quickstart.path})**: ${quickstart.summary}`,
        '## Guides',
        ...byGroup(guides, list),
        '## API',
        `[All operations](${OPERATIONS}), by subject:`,
        tags.map(({ name, description }) => `- [${name}](${OPERATIONS}#${tagSlug(name)}): ${description}`).join('\n'),
        '## Events and errors',
        `- [Events](${EVENTS}): what is sent to your endpoints, with fields and samples\n- [Errors](${ERRORS}): every code, and what to do`,
        '## For programs',
        'Every page is Markdown at its address with `.md`. [llms.txt](/llms.txt) lists them, and ' +
          '[llms-full.txt](/llms-full.txt) contains them.',
        `The OpenAPI document: [openapi.json](/api/v1/openapi.json), or by subject: ${tags.map(({ name }) => `[${name}](/api/v1/openapi/${tagSlug(name)}.json)`).join(', ')}.`,
      ),
  };
}

export function operationsPage(tags: readonly Tag[]): Page {
  return {
    path: OPERATIONS,
    title: 'API',
    summary: 'Every operation, by subject.',
    kind: 'Overview',
    markdown: () =>
      blocks(
        '# API',
        'Addresses are below `/api/v1` of the service. Requests and responses are JSON, and a key is sent as ' +
          '`Authorization: Bearer <key>`. Each operation is a method of the [clients](/docs/clients) and a tRPC procedure, too.',
        ...tags.flatMap(({ name, description, operations }) => [
          `## ${name}`,
          description,
          table(
            ['Operation', 'Method and path'],
            operations.map(({ id, summary, http: { method, path } }) => [
              `[${summary}](${operationPath(id)})`,
              code(`${method} ${path}`),
            ]),
          ),
        ]),
      ),
  };
}

export function eventsPage(types: readonly AnyEventType[]): Page {
  return {
    path: EVENTS,
    title: 'Events',
    summary: 'Every type of event, with its fields and a sample.',
    kind: 'Overview',
    markdown: () =>
      blocks(
        '# Events',
        'An event is the body of a webhook and an entry of the feed. [Receive webhooks](/docs/receiving-webhooks) describes ' +
          'the headers and the signature.',
        responseTable(rowsOf(fieldOf(eventEnvelope, 'output'))),
        ...[...Map.groupBy(types, (type) => eventDefinition(type).group)].flatMap(([group, members]) => [
          `## ${group}`,
          table(
            ['Event', 'When'],
            members.map((type) => [`[${code(type)}](${eventPath(type)})`, eventDefinition(type).description]),
          ),
        ]),
      ),
  };
}

export function errorsPage(): Page {
  return {
    path: ERRORS,
    title: 'Errors',
    summary: 'Every error code, and what to do.',
    kind: 'Overview',
    markdown: () =>
      blocks(
        '# Errors',
        'An error is a problem document (RFC 9457): `code` is stable, `detail` says what is wrong with this request, and ' +
          '`type` is the address of the page about the code.',
        table(
          ['Code', 'Status', 'Meaning'],
          errorCodes.map((name) => [
            `[${code(name)}](${errorPage(name)})`,
            String(errors[name].status),
            errors[name].title,
          ]),
        ),
      ),
  };
}
