import type { ErrorCode, Problem } from './contracts.ts';

interface ErrorFacts {
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly retryable: boolean;
  readonly cause?: unknown;
}

/** The service rejected a call, or no response arrived. */
export class FinhookError extends Error {
  override readonly name = 'FinhookError';
  /** HTTP status; undefined if no response arrived in time. */
  readonly status: number | undefined;
  /** The problem document (RFC 9457); undefined if the response is not the service's, or none arrived. */
  readonly problem: Problem | undefined;
  /** ID of the request in the service's log. */
  readonly requestId: string | undefined;
  /** True if the same call may succeed later, after the client's retries. */
  readonly retryable: boolean;
  /** Milliseconds that the response asks to wait (`Retry-After`). */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.problem = facts.problem;
    this.requestId = facts.problem?.request_id ?? facts.requestId;
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

export interface ProblemError<Code extends ErrorCode = ErrorCode> extends FinhookError {
  readonly status: number;
  readonly problem: Problem & { code: Code };
}

/** True if the error has one of these codes, or any if none is given: `isProblem(error, 'company_not_found')`. */
export function isProblem<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ProblemError<Code> {
  // No instanceof: an application may load the package both as a module and as CommonJS.
  if (!(error instanceof Error) || error.name !== 'FinhookError') return false;
  const code: unknown = Reflect.get(Object(Reflect.get(error, 'problem')), 'code');
  return typeof code === 'string' && (codes.length === 0 || codes.some((each) => each === code));
}
