import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The addresses that share the first `prefix` bits with `address` (RFC 4632). */
export interface IpRange {
  readonly address: Address;
  readonly prefix: number;
}

/** Undefined for an invalid address, and for octal, hexadecimal and short forms, which ipaddr.js accepts. */
export function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  // ipaddr.js reads the IPv4-compatible `::192.0.2.1` as the IPv4-mapped `::ffff:192.0.2.1`, which is another address.
  return ipaddr.parse(text.replace(/^::(?=\d+\.)/, '0::'));
}

/**
 * An IPv4-mapped range (`::ffff:192.0.2.0/120`) is that IPv4 range. Other ranges that embed IPv4 addresses (IPv4-compatible,
 * NAT64, 6to4) contain IPv6 addresses only.
 */
export function parseIpRange(text: string): IpRange | undefined {
  const [base = '', length, ...rest] = text.split('/');
  const address = rest.length > 0 ? undefined : parseAddress(base);
  if (address === undefined || !/^(0|[1-9]\d{0,2})$/.test(length ?? '0')) return undefined;
  const bits = 8 * address.toByteArray().length;
  const prefix = Number(length ?? bits);
  if (prefix > bits) return undefined;
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= 96
    ? { address: address.toIPv4Address(), prefix: prefix - 96 }
    : { address, prefix };
}

/** False for ranges of different IP versions. */
export function includesRange(outer: IpRange, inner: IpRange): boolean {
  if (outer.prefix > inner.prefix || outer.address.kind() !== inner.address.kind()) return false;
  return inner.address.match(outer.address, outer.prefix);
}
