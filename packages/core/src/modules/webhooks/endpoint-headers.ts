import type { Core } from '../../kernel/context.ts';
import { headersPlace } from './webhook-endpoint.entity.ts';

type Headers = Readonly<Record<string, string>>;

/** From this length on, the last four characters of a value may be shown: they tell which one it is. */
const SHOWN_FROM = 12;

/** The endpoint's own headers with their values; throws when they cannot be decrypted. */
export function readHeaders(
  { secrets }: Pick<Core, 'secrets'>,
  { id, headers }: { readonly id: string; readonly headers?: string | null | undefined },
): Headers {
  return headers == null ? {} : parseHeaders(secrets.decrypt(headers, headersPlace(id)));
}

// Only `applyOptions` writes it.
function parseHeaders(text: string): Headers {
  return JSON.parse(text) as Headers;
}

/** What readers see of the values. */
export function maskHeaders(headers: Headers): Record<string, string> {
  const mask = (value: string): string => (value.length >= SHOWN_FROM ? `***${value.slice(-4)}` : '***');
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));
}
