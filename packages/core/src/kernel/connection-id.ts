import type { FieldError } from '@finhook/contracts';
import { DomainError } from './domain-error.ts';

/** Ids of connections registered with this service; any other text is the provider's own id and is taken as it is. */
const REGISTERED = 'conn_';

/** Whether a row's `connection_id` names a connection that must be registered with this service (decision D35). */
export function isRegistered(connectionId: string | null | undefined): connectionId is string {
  return connectionId?.startsWith(REGISTERED) ?? false;
}

/** The fault of a `connection_id` that claims to be a registered connection and is none of this company's. */
export function unknownConnection(pointer: string): FieldError {
  return {
    pointer,
    code: 'connection_not_found',
    message: 'begins with conn_ but is no connection of this company; use a connection id of it or your own label',
  };
}

/** The answer to rows and requests for a connection that was disconnected. */
export function connectionDisconnected(connectionId: string): DomainError {
  return new DomainError('connection_disconnected', {
    detail: 'The bank connection is disconnected: it takes no more rows. Connect again and post under the new id.',
    extra: { connection_id: connectionId },
  });
}

/** A list's `connection_id` filter as the column holds it: `none` selects the rows that name no connection. */
export function storedConnection(filter: string | undefined): string | undefined {
  return filter === 'none' ? '' : filter;
}
