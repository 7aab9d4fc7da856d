import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ERRORS, EVENTS, OPERATIONS, type Page } from './page.ts';

interface Guide {
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
      name: 'bank-files',
      title: 'Bank files',
      summary: 'Store CSV, OFX, CAMT.053, MT940 and BAI2 files, in the dashboard or from a shell.',
    },
    {
      name: 'cash-and-runway',
      title: 'Cash, burn and runway',
      summary: 'What the figures mean, how they are computed, and what to do if one looks wrong.',
    },
    {
      name: 'going-to-production',
      title: 'Going to production',
      summary: 'Test accounts and test events, and a checklist before the first real data.',
    },
  ],
  Webhooks: [
    { name: 'receiving-webhooks', title: 'Receive webhooks', summary: 'Headers, verification and what to return.' },
    {
      name: 'webhook-endpoints',
      title: 'Webhook endpoints',
      summary: 'Filters, order, limits and retries; missed events; the evidence of each attempt.',
    },
  ],
  Data: [
    {
      name: 'records',
      title: 'Records, lists and filings',
      summary:
        'How each record behaves beyond its fields; pages, filters and exports; what a company must file, and when.',
    },
  ],
  'Clients and tools': [
    {
      name: 'clients',
      title: 'Clients',
      summary: 'What the clients share, and how to generate one for another language.',
    },
    {
      name: 'typescript',
      title: 'TypeScript',
      summary: 'Calls, errors, retries and tests with `@finhook/client`.',
      file: 'packages/client/README.md',
    },
    { name: 'python', title: 'Python', summary: 'The client for Python.', file: 'sdks/python/README.md' },
    { name: 'go', title: 'Go', summary: 'The client for Go.', file: 'sdks/go/README.md' },
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
    {
      name: 'deployment',
      title: 'Deployment',
      summary: 'One server with systemd, the image, the Helm chart; TLS with nginx and Caddy.',
    },
    {
      name: 'operations',
      title: 'Operating finhook',
      summary: 'Processes, backups, limits, metrics, and what to do about each alert.',
    },
    {
      name: 'scale',
      title: 'Scale',
      summary: 'What a load needs, reads from standbys, and several installations at one address.',
    },
    { name: 'reliability', title: 'Reliability', summary: 'Each guarantee, and what is not promised.' },
    { name: 'threat-model', title: 'Threat model', summary: 'Who may attack what, and what defends it.' },
  ],
};

/** Guides that became a section of another one. */
const MOVED: Readonly<Record<string, string>> = {
  '/docs/test-and-live': '/docs/going-to-production#test-and-live',
  '/docs/missed-events': '/docs/webhook-endpoints#missed-events',
  '/docs/evidence': '/docs/webhook-endpoints#evidence',
  '/docs/lists': '/docs/records#lists-and-exports',
  '/docs/compliance': '/docs/records#filings-and-compliance',
  '/docs/sdks': '/docs/clients',
  '/docs/generated-clients': '/docs/clients#generate-a-client',
  '/docs/proxies': '/docs/deployment#tls-and-reverse-proxies',
  '/docs/alerts': '/docs/operations#alerts',
};

/** The present address of a moved page. */
export function movedGuide(path: string): string | undefined {
  const markdown = path.endsWith('.md');
  const moved = MOVED[markdown ? path.slice(0, -'.md'.length) : path];
  return markdown ? moved?.replace(/#.*|$/, '.md') : moved;
}

const root = new URL('../../../../', import.meta.url);

function fileOf({ name, file = `docs/${name}.md` }: Guide): string {
  return file;
}

export function guideFiles(): string[] {
  return Object.values(guides).flat().map(fileOf);
}

/** Addresses of the pages by file. */
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

/** A link, or a code block, in which there are no links. */
const LINK = /```[^]*?```|(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const RELATIVE_FILE = /^(?:\.{1,2}\/|[^:#/]+\.md\b|[\w-]+\/)/;

/** Makes relative links addresses of this service; a link to a file without a page becomes text. */
function withAddresses(markdown: string, file: string): string {
  return markdown.replaceAll(LINK, (link, text: string | undefined, target: string) => {
    if (text === undefined || !RELATIVE_FILE.test(target)) return link;
    const [path = '', anchor] = target.split('#');
    const address = addresses.get(posix.join(posix.dirname(file), path));
    if (address === undefined) return text;
    return `[${text}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
