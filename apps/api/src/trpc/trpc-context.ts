import type { FieldError } from '@finhook/contracts';
import type { Context } from '@finhook/core';

/** What a tRPC procedure knows of its request. */
export interface TrpcContext {
  requestId: string;
  /** The caller, found out before any procedure of the request runs. */
  context: Context;
  idempotencyKey: string | undefined;
  /** Number literals of the body that parsing had to round. */
  inexact: readonly FieldError[];
}
