/** Advice for the endpoint's owner about attempts without a response, by error class. */
export const errorClassHints = {
  blocked_address: 'Point the endpoint to a public address: deliveries to private and reserved networks are rejected.',
  dns: 'Check that the host name is spelled right and has a public A or AAAA record.',
  connect_refused: 'Check that the server runs, listens on this port, and that its firewall lets the service in.',
  connect_timeout: 'Check the firewall: connection requests are dropped, or the server is too busy to accept them.',
  timeout: 'Answer 2xx as soon as the event is stored, and do the work afterwards.',
  reset: 'Look for a crash, a restart or a proxy that closes connections before the handler has responded.',
  tls: 'Install a certificate that is valid, matches the host name and comes with its whole chain.',
  protocol: 'Make sure that this port speaks HTTP/1.1 and not something else, such as bare TLS or HTTP/2 only.',
  unknown: 'Send the event again; if it fails in the same way, look at the server’s own log for this time.',
} as const satisfies Record<string, string>;

const statusHints: Readonly<Record<number, string>> = {
  400: 'The handler rejected the body: verify the signature over the raw bytes, before anything parses them.',
  401: 'Let deliveries in without a login: they prove who sent them by their signature.',
  403: 'Look for a firewall, an allow-list or CSRF protection that stops posts to this path.',
  404: 'Check the path of the endpoint’s url: the server does not know it.',
  405: 'Let this path accept POST.',
  408: 'The server gave up reading the request: look for a slow proxy in front of it.',
  410: 'Point the endpoint to its new address and set its status to active: 410 asks for no more deliveries.',
  413: 'Raise the size of a body that the server or its proxy accepts.',
  415: 'Accept the content type application/json on this path.',
  422: 'The handler rejected the event: ignore event types and fields that it does not know.',
  429: 'The server asks for fewer requests: allow more, or tell how long to wait in Retry-After.',
  500: 'The handler failed: look at its log for the time of this attempt.',
  502: 'A proxy got no valid response from the application behind it: check that the application runs.',
  503: 'The server is overloaded or being deployed; it can tell how long to wait in Retry-After.',
  504: 'A proxy waited too long for the application: respond first, and do the work afterwards.',
};

const redirectHint = 'Set the endpoint’s url to the final address: redirects are never followed.';
const rejectedHint =
  'Make the handler respond with 2xx once it has accepted the event: any other status counts as a failure.';
const failedHint = 'The server failed: look at its log for the time of this attempt.';

function isErrorClass(error: string): error is keyof typeof errorClassHints {
  return Object.hasOwn(errorClassHints, error);
}

/**
 * One sentence of advice about a failed attempt; null for a success. `error` is an error class or, with a status,
 * `http_<status>`.
 */
export function hintForAttempt(error: string | null, statusCode: number | null): string | null {
  if (error === null) return null;
  if (statusCode === null) return errorClassHints[isErrorClass(error) ? error : 'unknown'];
  const known = statusHints[statusCode];
  if (known !== undefined) return known;
  if (statusCode >= 300 && statusCode <= 399) return redirectHint;
  return statusCode >= 500 ? failedHint : rejectedHint;
}
