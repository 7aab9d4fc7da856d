import { type Operation, operations, pathParameters } from '@finhook/contracts';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { TableEntry } from '../operations/operation-table.ts';
import { type McpCall, mayCall, reportProblem, runEntry } from './mcp-call.ts';

const MIME_TYPE = 'application/json';

function isResource({ id, kind, http }: Operation): boolean {
  return kind === 'query' && id.endsWith('.get') && pathParameters(http.path).length > 0;
}

function resourceTemplate({ http }: Operation): string {
  return `finhook:/${http.path}`;
}

interface ResourceTemplate {
  entry: TableEntry;
  listed: { name: string; title: string; description: string; uriTemplate: string; mimeType: string };
  pattern: RegExp;
}

function templateOf(entry: TableEntry): ResourceTemplate {
  const { operation } = entry;
  const { id, summary, description } = operation;
  const uriTemplate = resourceTemplate(operation);
  return {
    entry,
    listed: { name: id.replace(/\.get$/, ''), title: summary, description, uriTemplate, mimeType: MIME_TYPE },
    pattern: new RegExp(`^${uriTemplate.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?#]+)')}$`),
  };
}

interface ListedResource {
  uri: string;
  name: string;
  mimeType: string;
}

export interface Resources {
  templates: (call: McpCall) => ResourceTemplate['listed'][];
  /** A page of companies. Other records are found by tools and templates. */
  list: (cursor: string | undefined, call: McpCall) => Promise<{ resources: ListedResource[]; nextCursor?: string }>;
  read: (uri: string, call: McpCall) => Promise<{ contents: { uri: string; mimeType: string; text: string }[] }>;
}

export function createResources(table: readonly TableEntry[]): Resources {
  const templates = table.filter(({ operation }) => isResource(operation)).map(templateOf);
  const companies = table.find(({ operation }) => operation.id === operations.companies.list.id);
  return {
    templates: (call) => templates.filter(({ entry }) => mayCall(entry, call)).map(({ listed }) => listed),
    async list(after, call) {
      if (!companies || !mayCall(companies, call)) return { resources: [] };
      const page = asCompanies(await readEntry(companies, after === undefined ? {} : { after }, call));
      const resources = page.data.map(({ id, name }) => ({
        uri: `finhook://companies/${id}`,
        name,
        mimeType: MIME_TYPE,
      }));
      return page.next_cursor === null || !page.has_more ? { resources } : { resources, nextCursor: page.next_cursor };
    },
    async read(uri, call) {
      for (const { entry, pattern } of templates) {
        const groups = pattern.exec(uri)?.groups;
        if (groups === undefined) continue;
        const record = await readEntry(entry, { ...groups }, call, uri);
        return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(record) }] };
      }
      throw new ResourceNotFoundError(uri);
    },
  };
}

// The output of `companies.list`.
function asCompanies(page: unknown): {
  data: readonly { id: string; name: string }[];
  has_more: boolean;
  next_cursor: string | null;
} {
  return page as ReturnType<typeof asCompanies>;
}

/** Errors become protocol errors with the detail of the problem. */
async function readEntry(
  entry: TableEntry,
  input: Record<string, unknown>,
  call: McpCall,
  uri?: string,
): Promise<unknown> {
  try {
    return await runEntry(entry, input, call);
  } catch (error) {
    const problem = reportProblem(error, call);
    if (problem.status === 404 && uri !== undefined) throw new ResourceNotFoundError(uri, problem.detail);
    const code = problem.status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(code, problem.detail, problem);
  }
}
