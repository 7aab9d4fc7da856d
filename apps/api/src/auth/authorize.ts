import type { Operation } from '@finhook/contracts';
import { type Context, type DenialLog, DomainError } from '@finhook/core';
import { accountMoving } from '../http/problem.ts';

/** Throws `insufficient_scope`. An operation without a permission is closed to keys with a list of permissions. */
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

/** Logs a 403 as a denial. */
export function noteDenial(denials: DenialLog, operation: Operation, context: Context, error: unknown): void {
  if (!(error instanceof DomainError) || error.status !== 403) return;
  denials.note({ principal: context, code: error.code, operation: operation.id, request: context.request });
}

/** While an account drains before a move, its endpoints are paused: other changes are still possible. */
const isClosed = ({ permission }: Operation, { moving }: Context): boolean =>
  moving === 'closed' || (moving === 'draining' && permission === 'webhooks:write');

/** `checkAccess` that logs a denial, and throws `account_moving` for a change of an account that is being moved. */
export function authorize(operation: Operation, context: Context, denials: DenialLog): void {
  try {
    checkAccess(operation, context);
  } catch (error) {
    noteDenial(denials, operation, context, error);
    throw error;
  }
  if (operation.kind !== 'query' && isClosed(operation, context)) throw accountMoving();
}
