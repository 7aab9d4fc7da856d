import type * as Contract from '@finhook/contracts';
import { TRPCClientError } from '@trpc/client';

export interface FieldError extends Omit<Contract.FieldError, 'code'> {
  code: string;
}

export type Problem = Contract.Problem;

export function isProblem(value: unknown): value is Problem {
  return (
    typeof fieldOf(value, 'code') === 'string' &&
    typeof fieldOf(value, 'detail') === 'string' &&
    typeof fieldOf(value, 'retryable') === 'boolean'
  );
}

export function problemOf(error: unknown): Problem | undefined {
  const problem = fieldOf(error instanceof TRPCClientError ? error.data : error, 'problem');
  return isProblem(problem) ? problem : undefined;
}

export const NO_RESPONSE = 'The service did not respond. Check the connection and try again.';

export function explain(error: unknown): string {
  const problem = problemOf(error);
  if (problem) return problem.detail;
  if (error instanceof TRPCClientError) return NO_RESPONSE;
  // A TypeError's message helps developers, not users.
  if (error instanceof TypeError) return 'Something on this page failed. Reload the page and try again.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** Returns the error of a field by name. Errors below it (`/events/2`) belong to their own pointers. */
export function fieldError(error: unknown, field: string): string | undefined {
  const place = `/${field}`;
  const fault = problemOf(error)?.errors?.find(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`));
  return fault?.message;
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The text of a field; undefined if it is empty or no text. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
