import type { FieldError, Problem } from '@finhook/contracts';
import { type Context, DomainError, isIdempotencyKey } from '@finhook/core';
import { checkAccess } from '../auth/authorize.ts';
import { problemOf } from '../http/problem.ts';
import { invoke, type OperationInput } from '../operations/invoke.ts';
import type { TableEntry } from '../operations/operation-table.ts';

const MCP_PATH = '/mcp';

export interface McpCall {
  context: Context;
  inexact: readonly FieldError[];
  onCall: (operation: string, idempotencyKey: string | undefined) => void;
  onReplay: () => void;
  onProblem: (problem: Problem) => void;
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

export async function runEntry(
  entry: TableEntry,
  raw: Record<string, unknown>,
  { context, inexact, onCall, onReplay }: McpCall,
  key?: unknown,
): Promise<unknown> {
  // The log of requests cannot store every text.
  onCall(entry.operation.id, isIdempotencyKey(key) ? key : undefined);
  const readInput = (): OperationInput => {
    if (key !== undefined && typeof key !== 'string') {
      throw new DomainError('invalid_idempotency_key', { detail: 'idempotency_key must be text.' });
    }
    return {
      value: raw,
      inexact: inexact
        .filter(({ pointer }) => pointer === '' || pointer.startsWith(ARGUMENTS))
        .map((error) => ({ ...error, pointer: error.pointer.slice(ARGUMENTS.length) })),
      fingerprint: () => ['mcp', JSON.stringify(raw)],
    };
  };
  const idempotencyKey = typeof key === 'string' ? key : undefined;
  return invoke(entry, readInput, { context, path: MCP_PATH, idempotencyKey, onReplay });
}

export function reportProblem(error: unknown, { context, onError, onProblem }: McpCall): Problem {
  onError(error);
  const problem = problemOf(error, { id: context.request.id, path: MCP_PATH });
  onProblem(problem);
  return problem;
}
