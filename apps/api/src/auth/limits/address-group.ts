const IPV6_GROUPS = 8;
const MAPPED_PREFIX = '0:0:0:0:0:ffff';

/**
 * The addresses that count as one client: an IPv4 address, also IPv4-mapped, or the /64 of an IPv6 address, which one
 * subscriber has as a whole.
 */
export function addressGroup(ip: string): string {
  // The URL parser rejects what is no IPv6 address and writes every spelling as RFC 5952 does.
  const canonical = URL.parse(`http://[${ip.replace(/%.*/, '')}]`)?.hostname.slice(1, -1);
  if (canonical === undefined) return ip;
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(IPV6_GROUPS - head.length - tail.length).fill('0');
  const groups = [...head, ...zeros, ...tail];
  if (groups.slice(0, 6).join(':') !== MAPPED_PREFIX) return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return bytes.flatMap((pair) => [pair >> 8, pair & 255]).join('.');
}
