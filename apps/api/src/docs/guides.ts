import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ERRORS, EVENTS, OPERATIONS, type Page } from './page.ts';

interface Guide {
  /** The last part of its address. */
  name: string;
  title: string;
  summary: string;
  /** In the repository; `docs/<name>.md` by default. */
  file?: string;
}

/** The guides in their order, by group. */
const guides: Readonly<Record<string, readonly Guide[]>> = {
  'Get started': [
    {
      name: 'quickstart',
      title: 'Quickstart',
      summary: 'The first verified webhook of your own data, in five minutes.',
    },
    { name: 'send-data', title: 'Send data', summary: 'Balances, transactions and statements, safely repeated.' },
    {
      name: 'cash-and-runway',
      title: 'Cash, burn and runway',
      summary: 'What the figures mean, how they are computed, and what to do if one looks wrong.',
    },
    { name: 'test-and-live', title: 'Test and live', summary: 'What separates test accounts from live ones.' },
    { name: 'going-to-production', title: 'Going to production', summary: 'A checklist before the first real data.' },
  ],
  Webhooks: [
    { name: 'receiving-webhooks', title: 'Receive webhooks', summary: 'Headers, verification and what to return.' },
    {
      name: 'webhook-endpoints',
      title: 'Configure endpoints',
      summary: 'Filters, order, limits, retries and secrets.',
    },
    { name: 'missed-events', title: 'Missed events', summary: 'Find what was not delivered, and get it.' },
    { name: 'evidence', title: 'Evidence', summary: 'What is stored of each delivery attempt.' },
  ],
  Data: [
    { name: 'records', title: 'Records and their rules', summary: 'How each record behaves, beyond its fields.' },
    { name: 'lists', title: 'Lists and exports', summary: 'Pages, filters, CSV and NDJSON.' },
    { name: 'bank-files', title: 'Bank files', summary: 'CSV, OFX, CAMT.053, MT940 and BAI2 as requests.' },
    {
      name: 'compliance',
      title: 'Filings and compliance',
      summary: 'What a company owes to which authority, and when.',
    },
  ],
  'Clients and tools': [
    { name: 'sdks', title: 'Clients', summary: 'What the clients for TypeScript, Python and Go share.' },
    {
      name: 'typescript',
      title: 'TypeScript',
      summary: 'Calls, errors, retries and tests with `@finhook/client`.',
      file: 'packages/client/README.md',
    },
    { name: 'python', title: 'Python', summary: 'The client for Python.', file: 'sdks/python/README.md' },
    { name: 'go', title: 'Go', summary: 'The client for Go.', file: 'sdks/go/README.md' },
    { name: 'generated-clients', title: 'Other languages', summary: 'Generate a client from the OpenAPI document.' },
    { name: 'command-line', title: 'Command line', summary: 'Every operation from a shell, and tools for webhooks.' },
    { name: 'commands', title: 'Commands', summary: 'One command per operation.', file: 'docs/reference/commands.md' },
    { name: 'mcp', title: 'MCP', summary: 'Assistants and agents as callers of the API.' },
  ],
  About: [
    { name: 'versions', title: 'Versions and deprecation', summary: 'What may change, and how it is announced.' },
    { name: 'glossary', title: 'Glossary', summary: 'One meaning per term.' },
    { name: 'changelog', title: 'Changelog', summary: 'What each release changed.', file: 'CHANGELOG.md' },
  ],
  'Run finhook': [
    { name: 'deployment', title: 'Deployment', summary: 'The image, the Helm chart and systemd units.' },
    { name: 'operations', title: 'Operating finhook', summary: 'Processes, variables, metrics, limits and upgrades.' },
    { name: 'proxies', title: 'TLS and proxies', summary: 'Configurations of nginx and Caddy.' },
    { name: 'alerts', title: 'Alerts', summary: 'What each alert means, and what to do.' },
  ],
};

const root = new URL('../../../../', import.meta.url);

function fileOf({ name, file = `docs/${name}.md` }: Guide): string {
  return file;
}

export function guideFiles(): string[] {
  return Object.values(guides).flat().map(fileOf);
}

/** Addresses of the files that pages are made of, or stand for. */
const addresses: ReadonlyMap<string, string> = new Map([
  ['docs/reference/operations.md', OPERATIONS],
  ['docs/reference/events.md', EVENTS],
  ['docs/reference/errors.md', ERRORS],
  ...Object.values(guides)
    .flat()
    .map((guide): [string, string] => [fileOf(guide), `/docs/${guide.name}`]),
]);

export function guidePages(): Page[] {
  return Object.entries(guides).flatMap(([group, members]) =>
    members.map((guide): Page => {
      const { name, title, summary } = guide;
      const file = fileOf(guide);
      const markdown = (): string => withAddresses(readFileSync(new URL(file, root), 'utf8'), file);
      return { path: `/docs/${name}`, title, summary, kind: 'Guide', group, markdown };
    }),
  );
}

/** A link with its text, which may contain code and brackets, or a code block, in which there are no links. */
const LINK = /```[^]*?```|(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const RELATIVE_FILE = /^(?:\.{1,2}\/|[^:#/]+\.md\b|[\w-]+\/)/;

/** Makes relative links addresses of this service. Text remains of a link to a file that has no page here. */
function withAddresses(markdown: string, file: string): string {
  return markdown.replaceAll(LINK, (link, text: string | undefined, target: string) => {
    if (text === undefined || !RELATIVE_FILE.test(target)) return link;
    const [path = '', anchor] = target.split('#');
    const address = addresses.get(posix.join(posix.dirname(file), path));
    if (address === undefined) return text;
    return `[${text}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
