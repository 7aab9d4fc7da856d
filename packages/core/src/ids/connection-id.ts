import type { FieldError } from '@finhook/contracts';
import { DomainError } from '../verbs/domain-error.ts';

/** Prefix of registered connections' ids; any other text is the provider's own id, stored unchanged. */
const REGISTERED = 'conn_';

/**
 * Returns true if a `connection_id` has the form of a registered connection's id, and so must be one (decision D35).
 */
export function isRegistered(connectionId: string | null | undefined): connectionId is string {
  return connectionId?.startsWith(REGISTERED) ?? false;
}

export function unknownConnection(pointer: string): FieldError {
  return {
    pointer,
    code: 'connection_not_found',
    message:
      'begins with conn_ but is not a connection of this company; use one of its connection IDs or your own label',
  };
}

export function connectionDisconnected(connectionId: string): DomainError {
  return new DomainError('connection_disconnected', {
    detail: 'The bank connection is disconnected: it accepts no more rows. Connect again and use the new ID.',
    extra: { connection_id: connectionId },
  });
}

/** A list's `connection_id` filter as the column holds it: `none` selects the rows that name no connection. */
export function storedConnection(filter: string | undefined): string | undefined {
  return filter === 'none' ? '' : filter;
}

/** What messages call the account of a stored connection, after an article; '' is that of rows without one. */
export function accountName(connectionId: string): string {
  return connectionId === '' ? 'account without a connection_id' : `account ${connectionId}`;
}
