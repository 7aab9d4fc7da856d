import { TRPCClientError } from '@trpc/client';
import { fieldOf } from './field-of.ts';

export interface FieldError {
  pointer: string;
  code: string;
  message: string;
}

export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  /** True if the same request may succeed later. It may already have taken effect. */
  retryable: boolean;
  request_id?: string;
  errors?: FieldError[];
  current_status?: string;
  allowed?: string[];
}

export function isProblem(value: unknown): value is Problem {
  return (
    typeof fieldOf(value, 'code') === 'string' &&
    typeof fieldOf(value, 'detail') === 'string' &&
    typeof fieldOf(value, 'retryable') === 'boolean'
  );
}

export function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const problem = fieldOf(error.data, 'problem');
  return isProblem(problem) ? problem : undefined;
}

export const NO_ANSWER = 'The service did not respond. Check the connection and try again.';

export function explain(error: unknown): string {
  const problem = problemOf(error);
  if (problem) return problem.detail;
  if (error instanceof TRPCClientError) return NO_ANSWER;
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
