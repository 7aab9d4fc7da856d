import type { FieldError } from '@finhook/contracts';
import { pointerOf } from '../../input/field-errors.ts';
import type { Core } from '../../verbs/context.ts';
import { headersAad, type WebhookEndpoint } from './webhook-endpoint.entity.ts';

type Headers = Readonly<Record<string, string>>;

const SHOWN_FROM = 12;
export const MASK = '***';

export function readHeaders(
  { secrets }: Pick<Core, 'secrets'>,
  { id, headers }: { readonly id: string; readonly headers?: string | null | undefined },
): Headers {
  return headers == null ? {} : parseHeaders(secrets.decrypt(headers, headersAad(id)));
}

// Only `applyOptions` writes it.
function parseHeaders(text: string): Headers {
  return JSON.parse(text) as Headers;
}

export function maskHeaders(headers: Headers): Record<string, string> {
  const mask = (value: string): string => (value.length >= SHOWN_FROM ? `${MASK}${value.slice(-4)}` : MASK);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));
}

/** A request that changes `url` must set headers again: their stored values are secret, and the new URL could read them. */
export function movedHeaderErrors(
  endpoint: Pick<WebhookEndpoint, 'url' | 'headers'>,
  url: string,
  sent: Headers | null | undefined,
): FieldError[] {
  if (endpoint.headers == null || url === endpoint.url) return [];
  const where = 'where url changes: stored values do not go there';
  if (sent === undefined) {
    return [{ pointer: '/headers', code: 'required', message: `must be given anew, or be null, ${where}` }];
  }
  return Object.entries(sent ?? {}).flatMap(([name, value]): FieldError[] =>
    value.startsWith(MASK)
      ? [{ pointer: pointerOf(['headers', name]), code: 'invalid_format', message: `must be given anew ${where}` }]
      : [],
  );
}
