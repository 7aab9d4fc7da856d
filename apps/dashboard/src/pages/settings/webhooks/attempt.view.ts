import { formatClock } from '../../../lib/format-time.ts';
import type { Outputs } from '../../../lib/trpc.ts';

export type Delivery = Outputs['deliveries']['get'];
export type Attempt = Delivery['attempts'][number];

export interface Segment {
  label: string;
  ms: number;
  share: number;
}

export function segmentsOf(timings: Attempt['timings']): Segment[] {
  const named: Array<[label: string, ms: number]> = [
    ['DNS', timings.dns_ms ?? 0],
    ['Connect', timings.connect_ms ?? 0],
    ['TLS', timings.tls_ms ?? 0],
    ['Waiting for response', timings.first_byte_ms ?? 0],
  ];
  const known = named.reduce((sum, [, ms]) => sum + ms, 0);
  const total = Math.max(timings.total_ms, known);
  if (total === 0) return [];
  return [...named, ['Other', total - known] as const]
    .filter(([, ms]) => ms > 0)
    .map(([label, ms]) => ({ label, ms, share: (ms / total) * 100 }));
}

/** Errors after the response's status arrived. */
const restOf: Readonly<Record<string, string>> = {
  timeout: 'response did not end in time',
  reset: 'connection closed within the headers',
  protocol: 'response is not valid HTTP',
};

export function outcomeOf(
  attempt: Pick<Attempt, 'status_code' | 'error'> & Partial<Pick<Attempt, 'response_truncated'>>,
): string {
  const { status_code: status, error, response_truncated: truncated } = attempt;
  const rest = restOf[error ?? ''];
  if (status !== null && rest !== undefined) return `${status}, ${rest}`;
  if (status !== null) return truncated === true ? `${status}, response cut off` : String(status);
  return error === null ? 'No response' : error.replaceAll('_', ' ');
}

/** The server's answer to the last failed attempt, which often names the cause. */
export function causeOf(attempts: ReadonlyArray<Pick<Attempt, 'error' | 'response_snippet'>>): string | null {
  const last = attempts.at(-1);
  return last === undefined || last.error === null ? null : last.response_snippet;
}

export function connectionOf(reused: boolean | null): string | null {
  return reused === null ? null : reused ? 'Reused' : 'New';
}

/** The hint of an attempt, with its local time instead of "at the time of this attempt". */
export function hintAt({ hint, at }: Pick<Attempt, 'hint' | 'at'>, zone: string): string | null {
  return hint?.replace(/at the time of this attempt|for this time/, `at ${formatClock(at, zone)}`) ?? null;
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
  const short = shortUrl(url);
  if (description !== null) return { first: description, below: short };
  const slash = short.indexOf('/');
  if (slash < 0 || slash === short.length - 1) return { first: short, below: '' };
  return { first: short.slice(slash), below: short.slice(0, slash) };
}

export function endpointNames(
  endpoints: ReadonlyArray<{ id: string; url: string; description: string | null }>,
): ReadonlyMap<string, string> {
  const names = endpoints.map(({ id, url, description }) => {
    const short = shortUrl(url);
    return { id, name: description === null ? short : `${description} (${short})` };
  });
  const same = Map.groupBy(names, ({ name }) => name);
  return new Map(
    names.map(({ id, name }) => [id, (same.get(name)?.length ?? 0) > 1 ? `${name}, …${id.slice(-6)}` : name]),
  );
}

/** The name of an endpoint on pages. */
export function endpointName({ url, description }: { url: string; description: string | null }): string {
  return description ?? shortUrl(url);
}

export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/[?#].*$/, '');
}
