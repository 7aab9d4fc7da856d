import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What a deployment allows as a target. */
export type UrlPolicy = {
  /** Opens http, private and loopback hosts and every port: for laptops. */
  readonly allowInsecure: boolean;
  /** Private ranges (CIDR) that may be called too; with them, names of the inside are judged by their addresses alone. */
  readonly allowedCidrs?: readonly string[] | undefined;
};

const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');

// What a deployment may open. Link-local and everything else that is special stays shut.
const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

// Cloud metadata services outside link-local: Azure (a public address), Alibaba, AWS and Google over IPv6. Never opened.
const metadata: ReadonlySet<string> = new Set(
  ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((ip) => ipaddr.parse(ip).toString()),
);

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Whether an address (canonical text, as the socket or the resolver gives it) is a public unicast one (S21).
 * IPv6 must lie in 2000::/3 (RFC 4291, IANA registry) outside its special blocks, so every form that embeds an
 * IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) is refused whatever it embeds. Not an IP: false.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parse(ip);
  if (address === undefined || address.range() !== 'unicast' || metadata.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicastV6);
}

/**
 * Whether a socket may be opened to the address: public ones always, private and loopback ones if insecure targets are
 * allowed or their range is listed. No setting opens link-local or metadata addresses.
 */
export function isAllowedAddress(ip: string, policy: UrlPolicy): boolean {
  if (isPublicAddress(ip)) return true;
  const address = parse(ip);
  if (address === undefined || !privateRanges.has(address.range()) || metadata.has(address.toString())) return false;
  return policy.allowInsecure || (policy.allowedCidrs ?? []).some((cidr) => isWithin(address, cidr));
}

/** `cidr` is an address with or without a prefix length; one of the other IP version holds nothing of this one. */
function isWithin(address: Address, cidr: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`);
  return base.kind() === address.kind() && address.match(base, bits);
}

// net.isIP first: ipaddr.js also reads octal, hexadecimal and short forms, which no resolver returns.
function parse(ip: string): Address | undefined {
  return isIP(ip) === 0 || ip.includes('%') ? undefined : ipaddr.parse(ip);
}
