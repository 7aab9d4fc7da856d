// oxlint-disable-next-line finhook/imports -- address arithmetic; nothing of it opens a socket
import { BlockList, isIP, isIPv4 } from 'node:net';

interface IpRange {
  family: 'ipv4' | 'ipv6';
  address: string;
  /** Leading bits that an address shares with the range (RFC 4632). */
  prefix: number;
}

const MAPPED = '::ffff:';

/** Undefined for an invalid address; an IPv4-mapped IPv6 address counts as IPv4. */
export function parseIpRange(text: string): IpRange | undefined {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0 || address.includes('%') || isIP(address) === 0) return undefined;
  const bits = isIPv4(address) ? 32 : 128;
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return undefined;
  if (bits === 32) return { family: 'ipv4', address, prefix };
  const mapped = address.toLowerCase().startsWith(MAPPED) ? address.slice(MAPPED.length) : '';
  if (isIPv4(mapped) && prefix >= 96) return { family: 'ipv4', address: mapped, prefix: prefix - 96 };
  return { family: 'ipv6', address, prefix };
}

function listOf(ranges: readonly IpRange[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family);
  return list;
}

function parseAll(texts: readonly string[]): IpRange[] {
  return texts.map(parseIpRange).filter((range) => range !== undefined);
}

/** False for an invalid address. */
export function createIpFilter(texts: readonly string[]): (ip: string) => boolean {
  const ranges = parseAll(texts);
  // One list per family: Node matches an IPv4 address with ::/0.
  const of = (family: IpRange['family']): BlockList => listOf(ranges.filter((range) => range.family === family));
  const lists = { ipv4: of('ipv4'), ipv6: of('ipv6') };
  return (ip) => {
    const range = parseIpRange(ip);
    return range !== undefined && !ip.includes('/') && lists[range.family].check(range.address, range.family);
  };
}

export function coversIpRange(texts: readonly string[], text: string): boolean {
  const inner = parseIpRange(text);
  if (!inner) return false;
  const wider = parseAll(texts).filter(({ family, prefix }) => family === inner.family && prefix <= inner.prefix);
  return listOf(wider).check(inner.address, inner.family);
}
