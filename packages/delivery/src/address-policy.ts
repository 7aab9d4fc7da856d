import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { UrlPolicy } from './url-policy.ts';

const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');

// What `allowInsecure` opens for development. Link-local stays shut: cloud metadata services live there.
const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Whether an address (canonical text, as the socket or the resolver gives it) is a public unicast one (S21).
 * IPv6 must lie in 2000::/3 (RFC 4291, IANA registry) outside its special blocks, so every form that embeds an
 * IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) is refused whatever it embeds. Not an IP: false.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parse(ip);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicastV6);
}

/** Whether a socket may be opened to the address: public ones always, private and loopback ones if insecure targets are allowed. */
export function isAllowedAddress(ip: string, policy: UrlPolicy): boolean {
  if (isPublicAddress(ip)) return true;
  if (!policy.allowInsecure) return false;
  const address = parse(ip);
  return address !== undefined && privateRanges.has(address.range());
}

// net.isIP first: ipaddr.js also reads octal, hexadecimal and short forms, which no resolver returns.
function parse(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(ip) === 0 || ip.includes('%') ? undefined : ipaddr.parse(ip);
}
