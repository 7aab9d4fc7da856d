import { isIP } from 'node:net';
import { BlockedAddressError } from './blocked-address-error.ts';
import type { HostLookup } from './host-lookup.ts';

export type AddressRule = {
  readonly isAllowed: (address: string) => boolean;
  readonly lookup: HostLookup;
};

/**
 * The addresses of a host, asked for once; an address stands for itself. One that is not allowed among them refuses
 * them all. Rejects with BlockedAddressError, ENODATA when there is none, or the lookup's error.
 */
export async function resolveAllowed(hostname: string, { isAllowed, lookup }: AddressRule): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await lookup(hostname) : [hostname];
  if (addresses.length === 0) throw Object.assign(new Error(`no address for ${hostname}`), { code: 'ENODATA' });
  if (!addresses.every(isAllowed)) throw new BlockedAddressError();
  return addresses;
}
