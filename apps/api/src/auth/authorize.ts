import type { Operation } from '@finhook/contracts';
import { type Context, type DenialLog, DomainError } from '@finhook/core';

/** Throws `insufficient_scope` unless the caller's key may call this operation. */
export type Authorize = (context: Context) => void;

/**
 * Throws `insufficient_scope` unless the key's scope lets the operation in and, for a key that is narrowed to
 * permissions, the list holds the one that it names. Comes before the body is read and before any id is looked at (S6).
 */
export function checkAccess(operation: Operation, { scope, access }: Pick<Context, 'scope' | 'access'>): void {
  if (!operation.scopes.includes(scope)) {
    throw new DomainError('insufficient_scope', {
      detail: `A key with scope ${scope} may not call ${operation.id}; it needs scope ${operation.scopes.join(' or ')}.`,
      extra: { scope, required: operation.scopes },
    });
  }
  const { permissions } = access;
  if (permissions === undefined || operation.kind === 'query') return;
  const { permission } = operation;
  if (permission !== undefined && permissions.includes(permission)) return;
  throw new DomainError('insufficient_scope', {
    detail: `This key lacks the permission ${permission ?? 'of this operation'}, which ${operation.id} needs.`,
    extra: { required_permission: permission ?? null, permissions },
  });
}

/** Logs a 403 as a denial, whether the verb or its scope's check threw it; every other error is ignored. */
export function noteDenial(denials: DenialLog, operation: Operation, context: Context, error: unknown): void {
  if (!(error instanceof DomainError) || error.status !== 403) return;
  denials.note({ principal: context, code: error.code, operation: operation.id, request: context.request });
}

/** `checkAccess` that logs what it denies. */
export function createAuthorize(operation: Operation, denials: DenialLog): Authorize {
  return (context) => {
    try {
      checkAccess(operation, context);
    } catch (error) {
      noteDenial(denials, operation, context, error);
      throw error;
    }
  };
}
