import type { FieldError, Problem } from '@finhook/contracts';
import { type Context, DomainError, isIdempotencyKey } from '@finhook/core';
import { checkAccess } from '../auth/authorize.ts';
import { ReplayedProblem, toDomainError, toProblem } from '../http/problem.ts';
import type { TableEntry } from '../operations/operation-table.ts';

const MCP_PATH = '/mcp';

/** One message of an authenticated caller. */
export interface McpCall {
  context: Context;
  /** Numbers that parsing rounded, with pointers into the message. */
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

/** Calls an operation as REST and tRPC do: authorization, idempotency, validation and the verb. */
export async function runEntry(
  { operation, authorize, run }: TableEntry,
  raw: Record<string, unknown>,
  { context, inexact, onCall, onReplay }: McpCall,
  key?: unknown,
): Promise<unknown> {
  // Not checked yet, and the log of requests cannot store every text.
  onCall(operation.id, isIdempotencyKey(key) ? key : undefined);
  authorize(context);
  if (key !== undefined && typeof key !== 'string') {
    throw new DomainError('invalid_idempotency_key', { detail: 'idempotency_key must be text.' });
  }
  const { output, replayed } = await run({
    raw,
    inexact: inexact
      .filter(({ pointer }) => pointer === '' || pointer.startsWith(ARGUMENTS))
      .map((error) => ({ ...error, pointer: error.pointer.slice(ARGUMENTS.length) })),
    context,
    path: MCP_PATH,
    idempotencyKey: key,
    fingerprint: key === undefined ? [] : ['mcp', JSON.stringify(raw)],
  });
  if (replayed) onReplay();
  return output;
}

export function problemOf(error: unknown, call: McpCall): Problem {
  const isReplayed = error instanceof ReplayedProblem;
  if (isReplayed) call.onReplay();
  else call.onError(error);
  const request = { id: call.context.request.id, path: MCP_PATH };
  const problem = isReplayed ? error.problem : toProblem(toDomainError(error), request);
  call.onProblem(problem);
  return problem;
}
