import type { WebhookHeaders } from './webhook-input.ts';

/**
 * Reads one header whatever the case of its name; undefined when it is absent. A header that came more than once is
 * joined with commas, as HTTP does, so that the strict parsers refuse it.
 */
export function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

// By shape, because frameworks and test environments bring a Headers class of their own.
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function';
}
