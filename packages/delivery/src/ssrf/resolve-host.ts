import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type UrlPolicy = {
  /** Allows http, private and loopback hosts and every port: for development. */
  readonly allowInsecure: boolean;
  /**
   * Private ranges (CIDR) that are allowed too. With any of them set, private host names are checked by address only.
   */
  readonly allowedCidrs?: readonly string[] | undefined;
};

const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');

// Ranges that a deployment may allow. Link-local and the other special ranges are always blocked.
const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

// Cloud metadata services outside link-local: Azure (a public address), Alibaba, AWS and Google over IPv6. Always
// blocked.
const metadata: ReadonlySet<string> = new Set(
  ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((ip) => ipaddr.parse(ip).toString()),
);

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * True for a public unicast address, in the canonical text of sockets and resolvers (S21). IPv6 must lie in 2000::/3
 * (RFC 4291, IANA registry) outside its special blocks, so every form that embeds an IPv4 address (mapped, compatible,
 * NAT64, 6to4, Teredo) is rejected.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parse(ip);
  if (address === undefined || address.range() !== 'unicast' || metadata.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicastV6);
}

/**
 * Public addresses are allowed. Private and loopback addresses are allowed with `allowInsecure`, or if `allowedCidrs`
 * has their range. No setting allows link-local or metadata addresses.
 */
export function isAllowedAddress(ip: string, policy: UrlPolicy): boolean {
  if (isPublicAddress(ip)) return true;
  const address = parse(ip);
  if (address === undefined || !privateRanges.has(address.range()) || metadata.has(address.toString())) return false;
  return policy.allowInsecure || (policy.allowedCidrs ?? []).some((cidr) => isWithin(address, cidr));
}

/** `cidr` may have no prefix length. A range of the other IP version never matches. */
function isWithin(address: Address, cidr: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`);
  return base.kind() === address.kind() && address.match(base, bits);
}

// net.isIP runs first because ipaddr.js also accepts octal, hexadecimal and short forms.
function parse(ip: string): Address | undefined {
  return isIP(ip) === 0 || ip.includes('%') ? undefined : ipaddr.parse(ip);
}

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
