import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { UrlPolicy } from './address-policy.ts';

/** Resolves a host name to its A and AAAA records. Rejects with an errno `code` when it has none. */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

/**
 * The default lookup of the transport. It queries DNS directly: getaddrinfo runs on four threads that all endpoints
 * share, so a few dead name servers would stall every new connection. With `allowInsecure` it uses getaddrinfo, which
 * reads the hosts file. `dnsServers` (`address:port`) replace those of the system.
 */
export function createHostLookup(policy: UrlPolicy, dnsServers?: readonly string[]): HostLookup {
  if (policy.allowInsecure) {
    return async (hostname) => (await systemLookup(hostname, { all: true })).map(({ address }) => address);
  }
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (dnsServers !== undefined) resolver.setServers(dnsServers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [failure] = answers.filter((answer) => answer.status === 'rejected');
    if (addresses.length === 0 && failure !== undefined) throw failure.reason;
    return addresses;
  };
}

export type AddressRule = {
  readonly isAllowed: (address: string) => boolean;
  readonly lookup: HostLookup;
};

/**
 * Resolves a host name or an IP literal to its addresses. One blocked address blocks the whole host. Rejects with
 * BlockedAddressError, with ENODATA when there are no addresses, or with the lookup's error.
 */
export async function resolveAllowed(hostname: string, { isAllowed, lookup }: AddressRule): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await lookup(hostname) : [hostname];
  if (addresses.length === 0) throw Object.assign(new Error(`no address for ${hostname}`), { code: 'ENODATA' });
  if (!addresses.every(isAllowed)) throw new BlockedAddressError();
  return addresses;
}

/** The host is, or resolves to, a blocked address. The message never contains the address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';

  constructor() {
    super('the host is, or resolves to, an address that is not allowed');
  }
}
