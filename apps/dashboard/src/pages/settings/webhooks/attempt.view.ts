import type { Outputs } from '../../../lib/trpc.ts';

export type Delivery = Outputs['deliveries']['get'];
export type Attempt = Delivery['attempts'][number];

export interface Segment {
  label: string;
  ms: number;
  /** Percent of the whole. */
  share: number;
}

export function segmentsOf(timings: Attempt['timings']): Segment[] {
  const named: Array<[label: string, ms: number]> = [
    ['DNS', timings.dns_ms ?? 0],
    ['Connect', timings.connect_ms ?? 0],
    ['TLS', timings.tls_ms ?? 0],
    ['Waiting for the response', timings.first_byte_ms ?? 0],
  ];
  const known = named.reduce((sum, [, ms]) => sum + ms, 0);
  const total = Math.max(timings.total_ms, known);
  if (total === 0) return [];
  return [...named, ['Other', total - known] as const]
    .filter(([, ms]) => ms > 0)
    .map(([label, ms]) => ({ label, ms, share: (ms / total) * 100 }));
}

export function outcomeOf({ status_code: status, error }: Pick<Attempt, 'status_code' | 'error'>): string {
  if (status !== null) return String(status);
  return error === null ? 'No response' : error.replaceAll('_', ' ');
}

export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

export function isOpen(status: Delivery['status']): boolean {
  return status === 'pending' || status === 'retrying';
}

export function endpointWords(url: string, description: string | null): { first: string; below: string } {
  const address = shortUrl(url);
  if (description !== null) return { first: description, below: address };
  const slash = address.indexOf('/');
  if (slash < 0 || slash === address.length - 1) return { first: address, below: '' };
  return { first: address.slice(slash), below: address.slice(0, slash) };
}

export function endpointNames(
  endpoints: ReadonlyArray<{ id: string; url: string; description: string | null }>,
): ReadonlyMap<string, string> {
  const names = endpoints.map(({ id, url, description }) => {
    const address = shortUrl(url);
    return { id, name: description === null ? address : `${description} (${address})` };
  });
  const same = Map.groupBy(names, ({ name }) => name);
  return new Map(
    names.map(({ id, name }) => [id, (same.get(name)?.length ?? 0) > 1 ? `${name}, …${id.slice(-6)}` : name]),
  );
}

export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/[?#].*$/, '');
}
