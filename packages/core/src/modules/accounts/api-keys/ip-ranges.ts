import { type IpRange, includesRange, parseIpRange } from '@finhook/delivery';

/** Tests whether an address is in one of the ranges; false for an invalid address. */
export function createIpFilter(texts: readonly string[]): (ip: string) => boolean {
  const ranges = parseAll(texts);
  return (ip) => !ip.includes('/') && isCovered(ranges, ip);
}

export function coversIpRange(texts: readonly string[], text: string): boolean {
  return isCovered(parseAll(texts), text);
}

function parseAll(texts: readonly string[]): IpRange[] {
  return texts.map(parseIpRange).filter((range) => range !== undefined);
}

function isCovered(ranges: readonly IpRange[], text: string): boolean {
  const inner = parseIpRange(text);
  return inner !== undefined && ranges.some((range) => includesRange(range, inner));
}
