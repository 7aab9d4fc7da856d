/** What the service sends of itself. Every other header was set by the endpoint's owner, and its value may be a secret. */
const ownHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'user-agent',
  'x-service-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-event',
  'x-service-delivery',
  'x-service-attempt',
  'x-service-test',
  'traceparent',
  'tracestate',
]);

/** Whether a request header (in lower case, as all of ours are) is the service's own, so that everybody may see its value. */
export function isOwnHeader(name: string): boolean {
  return ownHeaders.has(name);
}
