import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { UrlPolicy } from './address-policy.ts';

/** All addresses of a host name, A and AAAA together. Rejects (with an errno `code`) when there is none. */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

/**
 * The lookup that the transport uses unless it is given another one. It asks DNS directly: the system's
 * getaddrinfo runs on four threads that all endpoints share, so that a few dead name servers would stall every
 * new connection. With insecure targets allowed it is the system's, which knows localhost and the hosts file.
 * `dnsServers` (`address:port`) replace the machine's own.
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
 * The addresses of a host, asked for once; an address stands for itself. One that is not allowed among them refuses
 * them all. Rejects with BlockedAddressError, ENODATA when there is none, or the lookup's error.
 */
export async function resolveAllowed(hostname: string, { isAllowed, lookup }: AddressRule): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await lookup(hostname) : [hostname];
  if (addresses.length === 0) throw Object.assign(new Error(`no address for ${hostname}`), { code: 'ENODATA' });
  if (!addresses.every(isAllowed)) throw new BlockedAddressError();
  return addresses;
}

/** Thrown inside the connector when a host is, or resolves to, a forbidden address. Never names the address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';

  constructor() {
    super('the host is, or resolves to, an address that is not allowed');
  }
}
