import { TRPCClientError } from '@trpc/client';
import { fieldOf } from './field-of.ts';

/** A fault of one field; `pointer` is a JSON pointer into the input. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
}

/** The problem document (RFC 9457) of a refusal, as REST and tRPC both answer it. */
export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  /** Whether the same request, sent again later, may succeed: of some it is not known whether they took effect. */
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

/** The problem document that a failed call carries, if the service answered at all. */
export function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const problem = fieldOf(error.data, 'problem');
  return isProblem(problem) ? problem : undefined;
}

export const NO_ANSWER = 'The service did not respond. Check the connection and try again.';

/** One sentence for people: what the service said, or that it could not be reached. */
export function explain(error: unknown): string {
  const problem = problemOf(error);
  if (problem) return problem.detail;
  if (error instanceof TRPCClientError) return NO_ANSWER;
  // What the language throws tells programmers, not people.
  if (error instanceof TypeError) return 'Something on this page failed. Reload the page and try again.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** The fault of a field by its name; faults inside it (`/events/2`) are its own. */
export function fieldError(error: unknown, field: string): string | undefined {
  const place = `/${field}`;
  const fault = problemOf(error)?.errors?.find(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`));
  return fault?.message;
}
