import type { Problem } from '@finhook/contracts';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

/** The revision without sessions, and the newest one with `initialize`. */
export const revisions = ['2026-07-28', '2025-11-25'] as const;

/** The official client, connected with a key; closed after the test. */
export async function connectMcp(url: string, key: string, revision: string = revisions[0]): Promise<Client> {
  const mode = revision === revisions[0] ? { pin: revision } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return client;
}

export async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).toSorted();
}

export function textOf({ content }: CallToolResult): string {
  const [first] = content;
  if (first?.type !== 'text') throw new Error('The result has no text.');
  return first.text;
}

export function problemIn(result: CallToolResult): Problem {
  if (result.isError !== true) throw new Error(`Not an error: ${textOf(result)}`);
  return JSON.parse(textOf(result));
}

/** The structured result of a call; throws its problem. */
export async function callTool(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: input });
  if (result.isError === true) throw new Error(textOf(result));
  return Object(result.structuredContent);
}
