/** Thrown inside the connector when a host is, or resolves to, a forbidden address. Never names the address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';

  constructor() {
    super('the host is, or resolves to, an address that is not allowed');
  }
}
