import type { FieldError } from '@finhook/contracts';
import type { Context } from '@finhook/core';

/** What a tRPC procedure knows of its request. */
export interface TrpcContext {
  requestId: string;
  /** The caller, found out before the body is read, or why there is none: each procedure refuses so. */
  caller: { context: Context } | { refusal: unknown };
  /** Why the body cannot be read, told to those who may call the procedure. */
  refusedBody: { refusal: unknown } | undefined;
  idempotencyKey: string | undefined;
  /** Called when an answer is the stored one of an earlier request with the same key. */
  onReplay: () => void;
  /** Number literals of the body that parsing had to round. */
  inexact: readonly FieldError[];
  /** Whether the body holds several calls, each under its number. */
  isBatch: boolean;
}
