import type { FieldError } from '@finhook/contracts';
import { DomainError } from '../verbs/domain-error.ts';

/** Other ids are the provider's own, stored unchanged. */
const REGISTERED = 'conn_';

/** True for ids of registered connections. Such an id must exist. */
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
export function storedConnection<Filter extends string | undefined>(filter: Filter): Filter | '' {
  return filter === 'none' ? '' : filter;
}

/** The name of an account in messages, after an article. '' means rows without a connection. */
export function accountName(connectionId: string): string {
  return connectionId === '' ? 'account without a connection_id' : `account ${connectionId}`;
}
