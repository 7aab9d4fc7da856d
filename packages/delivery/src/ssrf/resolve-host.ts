import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { includesRange, parseAddress, parseIpRange } from './ip-range.ts';

export type UrlPolicy = {
  /** Allows http, private and loopback hosts and every port: for development. */
  readonly allowInsecure: boolean;
  /** Private ranges (CIDR) that are allowed too. If any is set, private host names are checked by address only. */
  readonly allowedCidrs?: readonly string[] | undefined;
};

const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');

// Ranges that a deployment may allow. Link-local and the other special ranges are always blocked.
const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

// Cloud metadata services outside link-local: Azure (a public address), Alibaba, AWS and Google over IPv6.
const metadata: ReadonlySet<string> = new Set(
  ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((ip) => ipaddr.parse(ip).toString()),
);

/**
 * True for a public unicast address in canonical text. IPv6 must be in 2000::/3 (RFC 4291) outside its special blocks,
 * which excludes all forms that embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(ip: string): boolean {
  const address = parseAddress(ip);
  if (address === undefined || address.range() !== 'unicast' || metadata.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicastV6);
}

/**
 * Private and loopback addresses need `allowInsecure` or `allowedCidrs`; link-local and metadata ones are never
 * allowed. Throws if an entry of `allowedCidrs` is invalid.
 */
export function createAddressCheck({ allowInsecure, allowedCidrs = [] }: UrlPolicy): (ip: string) => boolean {
  const allowed = allowedCidrs.map((text) => {
    const range = parseIpRange(text);
    if (range === undefined) throw new Error(`${text} is not a range of addresses.`);
    return range;
  });
  return (ip) => {
    if (isPublicAddress(ip)) return true;
    const address = parseAddress(ip);
    if (address === undefined || !privateRanges.has(address.range()) || metadata.has(address.toString())) return false;
    const one = { address, prefix: Number.POSITIVE_INFINITY };
    return allowInsecure || allowed.some((range) => includesRange(range, one));
  };
}

/** Resolves a name to its A and AAAA records. Rejects with an errno `code` if it has none. */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries DNS directly: getaddrinfo runs on four threads, which a few dead name servers would block for all endpoints.
 * With `allowInsecure` it uses getaddrinfo, which reads the hosts file. `dnsServers` are `address:port`.
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

/** One blocked address blocks the host. @throws BlockedAddressError, ENODATA, or the lookup's error */
export async function resolveAllowed(hostname: string, { isAllowed, lookup }: AddressRule): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await lookup(hostname) : [hostname];
  if (addresses.length === 0) throw Object.assign(new Error(`no address for ${hostname}`), { code: 'ENODATA' });
  if (!addresses.every(isAllowed)) throw new BlockedAddressError();
  return addresses;
}

/** The message never contains the address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';

  constructor() {
    super('the host is, or resolves to, an address that is not allowed');
  }
}
