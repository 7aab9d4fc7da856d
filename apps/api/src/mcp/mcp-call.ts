import type { FieldError, Problem } from '@finhook/contracts';
import { type Context, DomainError } from '@finhook/core';
import { checkAccess } from '../auth/authorize.ts';
import { ReplayedProblem, toDomainError, toProblem } from '../http/problem.ts';
import type { TableEntry } from '../operations/operation-table.ts';

const MCP_PATH = '/mcp';

/** One message of an authenticated caller. */
export interface McpCall {
  context: Context;
  /** Numbers that parsing rounded, with pointers into the message. */
  inexact: readonly FieldError[];
  onOperation: (id: string) => void;
  onError: (error: unknown) => void;
}

export function mayCall({ operation }: TableEntry, { context }: McpCall): boolean {
  try {
    checkAccess(operation, context);
    return true;
  } catch {
    return false;
  }
}

const ARGUMENTS = '/params/arguments';

/** Calls an operation as REST and tRPC do: authorization, idempotency, validation and the verb. */
export async function runEntry(
  { operation, authorize, run }: TableEntry,
  raw: Record<string, unknown>,
  { context, inexact, onOperation }: McpCall,
  key?: unknown,
): Promise<unknown> {
  onOperation(operation.id);
  authorize(context);
  if (key !== undefined && typeof key !== 'string') {
    throw new DomainError('invalid_idempotency_key', { detail: 'idempotency_key must be text.' });
  }
  const { output } = await run({
    raw,
    inexact: inexact
      .filter(({ pointer }) => pointer === '' || pointer.startsWith(ARGUMENTS))
      .map((error) => ({ ...error, pointer: error.pointer.slice(ARGUMENTS.length) })),
    context,
    path: MCP_PATH,
    idempotencyKey: key,
    fingerprint: key === undefined ? [] : ['mcp', JSON.stringify(raw)],
  });
  return output;
}

export function problemOf(error: unknown, { context, onError }: McpCall): Problem {
  if (error instanceof ReplayedProblem) return error.problem;
  onError(error);
  return toProblem(toDomainError(error), { id: context.request.id, path: MCP_PATH });
}
