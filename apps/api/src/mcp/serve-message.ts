import { serviceVersion } from '@finhook/runtime';
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { TableEntry } from '../operations/operation-table.ts';
import type { McpCall } from './mcp-call.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { createResources, type Resources } from './resources.ts';
import { createTools, type Tools } from './tools.ts';

const instructions = `finhook stores the cash balances, bank transactions and financial statements of companies, and sends every change to webhook endpoints.

- Begin with me_get: it says which companies the key can read and, for an agent's key, the agent_id.
- Amounts (\`_cents\`) are integers in minor units of their currency. Times are UTC.
- Lists return one page. If has_more is true, call again with \`after\` set to next_cursor. Filter before you page.
- An error is a problem document: \`detail\` says what is wrong, and \`retryable\` whether the same call may succeed later.
- Pass idempotency_key with each change, and the same one when you repeat it.
- An agent logs what it does with agent_actions_create, asks with agent_approvals_request before it does something that needs a person, and polls agent_approvals_get every few seconds until \`status\` is no longer pending. Only \`approved\` is a yes: then do what \`edited_payload\` says, if it is set, and record the outcome with agent_actions_update.`;

export type ServeMessage = (message: unknown, headers: Record<string, string>, call: McpCall) => Promise<Response>;

/** Stateless, because the next message may reach another process. */
export function createMessageServer(table: readonly TableEntry[]): ServeMessage {
  const tools = createTools(table);
  const resources = createResources(table);
  return async (message, headers, call) => {
    const server = createServer(tools, resources, call);
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    });
    const body = { parsedBody: message };
    if (await isLegacyRequest(request, message)) return serveLegacy(server, request, body);
    return createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, body);
  };
}

/** Revisions before 2026-07-28, for which the SDK's own fallback would stream. */
async function serveLegacy(server: Server, request: Request, body: { parsedBody: unknown }): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, body);
  } finally {
    await server.close();
  }
}

function createServer(tools: Tools, resources: Resources, call: McpCall): Server {
  const server = new Server(
    { name: 'finhook', title: 'finhook', version: serviceVersion() },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.list(call) }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const result = tools.call(params.name, params.arguments ?? {}, call);
    if (result) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 64)}.`);
  });
  server.setRequestHandler('resources/list', ({ params }) => resources.list(params?.cursor, call));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resources.templates(call) }));
  server.setRequestHandler('resources/read', ({ params }) => resources.read(params.uri, call));
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts() }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments));
  return server;
}
