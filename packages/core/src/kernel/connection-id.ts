import type { FieldError } from '@finhook/contracts';

/** Ids of connections registered with this service; any other text is the provider's own id and is taken as it is. */
const REGISTERED = /^conn_/;

/** The fault of a `connection_id` that claims to be a registered connection and is none of this company's. */
export function checkConnection(pointer: string, connectionId: string | null | undefined): FieldError | undefined {
  if (!connectionId || !REGISTERED.test(connectionId)) return undefined;
  return {
    pointer,
    code: 'connection_not_found',
    message: 'begins with conn_ but is no connection of this company; use a connection id of it or your own label',
  };
}

/** A list's `connection_id` filter as the column holds it: `none` selects the rows that name no connection. */
export function storedConnection(filter: string | undefined): string | undefined {
  return filter === 'none' ? '' : filter;
}
