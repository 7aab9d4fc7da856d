import {
  completeJsonSchema,
  isRecord,
  type Operation,
  type Operations,
  pathParameterDescriptions,
  pathParameters,
} from '@finhook/contracts';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TableEntry } from '../operations/operation-table.ts';
import { type McpCall, mayCall, reportProblem, runEntry } from './mcp-call.ts';

/** Groups in which agents report and ask. Changes in others move money, create keys, delete or reconfigure. */
const groupsWithChanges: readonly string[] = [
  'agentActions',
  'agentApprovals',
  'agentFlags',
] satisfies (keyof Operations)[];

function isTool({ id, kind }: Operation): boolean {
  return kind === 'query' || groupsWithChanges.includes(id.split('.')[0] ?? '');
}

/** `agentActions.create` is `agent_actions_create`: many clients accept no dots in names. */
export function toolName(id: string): string {
  return id
    .replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll('.', '_')
    .toLowerCase();
}

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'Makes the call safe to repeat: for 24 hours, the same call with the same key returns the first result and has no further effect.',
} as const;

// The input of a tool's operation is an object.
function asInputSchema(schema: unknown): Tool['inputSchema'] {
  return schema as Tool['inputSchema'];
}

function inputSchemaOf({ input, kind, http }: Operation): Tool['inputSchema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', override: completeJsonSchema });
  const properties = { ...schema.properties };
  for (const name of pathParameters(http.path)) {
    const description = pathParameterDescriptions[name];
    const property = properties[name];
    if (isRecord(property) && description !== undefined) properties[name] = { description, ...property };
  }
  if (kind === 'mutation') properties['idempotency_key'] = idempotencyKey;
  return asInputSchema({ ...schema, properties });
}

/** No `outputSchema`: they are five times the size of everything else in the list. */
function toolOf(operation: Operation): Tool {
  const { id, kind, summary, description, http } = operation;
  const readOnlyHint = kind === 'query';
  // Creating is not destructive.
  const creates = http.method === 'POST' && (http.success === 201 || http.status !== undefined);
  return {
    name: toolName(id),
    title: summary,
    description: `${summary}. ${description}`,
    inputSchema: inputSchemaOf(operation),
    annotations: {
      readOnlyHint,
      destructiveHint: !readOnlyHint && !creates,
      // Every POST without a key may have an effect each time.
      idempotentHint: readOnlyHint || http.method !== 'POST',
      openWorldHint: false,
    },
  };
}

interface ToolEntry {
  entry: TableEntry;
  tool: Tool;
}

export interface Tools {
  list: (call: McpCall) => Tool[];
  /** Undefined if no key has a tool of this name. */
  call: (name: string, input: Record<string, unknown>, call: McpCall) => Promise<CallToolResult> | undefined;
}

export function createTools(table: readonly TableEntry[]): Tools {
  const entries = table.filter(({ operation }) => isTool(operation));
  const tools = new Map<string, ToolEntry>();
  for (const entry of entries) tools.set(toolName(entry.operation.id), { entry, tool: toolOf(entry.operation) });
  return {
    list: (call) => [...tools.values()].filter(({ entry }) => mayCall(entry, call)).map(({ tool }) => tool),
    call(name, input, call) {
      const found = tools.get(name);
      return found && callTool(found.entry, input, call);
    },
  };
}

/** Errors are results, the problem documents of REST, so that the model reads them. */
async function callTool(
  entry: TableEntry,
  { idempotency_key: key, ...input }: Record<string, unknown>,
  call: McpCall,
): Promise<CallToolResult> {
  try {
    const output = await runEntry(entry, input, call, key ?? undefined);
    const structured = isRecord(output) ? { structuredContent: output } : {};
    return { content: [{ type: 'text', text: JSON.stringify(output) }], ...structured };
  } catch (error) {
    return { content: [{ type: 'text', text: JSON.stringify(reportProblem(error, call)) }], isError: true };
  }
}
