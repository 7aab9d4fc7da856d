/** Advice about attempts without a response, by error class. */
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

type ErrorClass = keyof typeof errorClassHints;
type CodeHints = readonly (readonly [code: RegExp, hint: string])[];

const clientCertificate =
  'Let deliveries in without a client certificate: the server demands one, and the service has none; it proves who it is by its signature.';

/** Codes of Node and OpenSSL. Names of alerts follow the version of TLS, or `SSL/TLS`. */
const tlsHints: CodeHints = [
  [/CERTIFICATE_REQUIRED$|ALERT_(?:BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|ACCESS_DENIED)$/, clientCertificate],
  [
    /ALERT_HANDSHAKE_FAILURE$/,
    'Check that the server demands no client certificate, and that it shares a cipher of TLS 1.2 or 1.3 with the service.',
  ],
  [
    /NO_APPLICATION_PROTOCOL$/,
    'Offer http/1.1 in ALPN on this port: the server accepts HTTP/2 only, which the service does not speak.',
  ],
  [/PROTOCOL_VERSION$|UNSUPPORTED_PROTOCOL$/, 'Enable TLS 1.2 or 1.3 on the server: it offers only older versions.'],
  [
    /WRONG_VERSION_NUMBER$|PACKET_LENGTH_TOO_LONG$|HTTP_REQUEST$/,
    'Check the scheme and the port of the url: it says https, and this port answers without TLS.',
  ],
  [/UNRECOGNIZED_NAME$/, 'Configure this host name on the server: it has no certificate for it.'],
  [/^CERT_HAS_EXPIRED$/, 'Renew the certificate: it, or one of its chain, has expired.'],
  [/^CERT_NOT_YET_VALID$/, 'Install a certificate that is valid now, or wait: this one is valid from a later time.'],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    'Install a certificate of a public authority: this one is self-signed, or signed by an authority of your own.',
  ],
  [
    /^(?:ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/,
    'Install a certificate for this host name, or use the name of the certificate in the url: they differ.',
  ],
  [
    /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT\w*)$/,
    'Send the whole chain, with the intermediate certificates: the issuer of the certificate is missing or not a public one.',
  ],
  [/^CERT_REVOKED$/, 'Install a new certificate: this one was revoked.'],
];

const dnsHints: CodeHints = [
  [
    /^(?:ENOTFOUND|EAI_NONAME)$/,
    'Check that the host name is spelled right: the name server says that it does not exist.',
  ],
  [/^(?:ENODATA|EAI_NODATA)$/, 'Add an A or AAAA record: the host name exists and has no address.'],
  [
    /^(?:ESERVFAIL|EREFUSED|ECONNREFUSED|ETIMEOUT|ETIMEDOUT|EAI_AGAIN|EAI_FAIL|EBADRESP)$/,
    'Check the name servers of the domain: they fail, refuse to respond or are too slow, and nothing is wrong with the url.',
  ],
];

const slowNameServer =
  'Check the name servers of the domain: they did not respond in time, and nothing is wrong with the url.';

/** Codes of the service's HTTP client. */
const protocolHints: CodeHints = [
  [/^(?:not_http|http_version)$/, errorClassHints.protocol],
  [
    /^switching_protocols$/,
    'Respond with 2xx: the service asked for no other protocol, and this path may belong to a WebSocket.',
  ],
  [/^headers_too_large$/, 'Send fewer or shorter response headers, for example no cookies: no delivery needs them.'],
  [
    /^too_many_interim_responses$/,
    'Send the final response: interim responses (1xx), such as 100 or 103, are skipped only within a limit.',
  ],
  [
    /^(?:\w+_invalid|\w+_conflict|\w+_missing|\w+_overhead|\w+_too_large|header_\w+|space_before_colon|length_and_chunked|status_out_of_range)$/,
    'Correct what writes the response, the server or a proxy before it: the response breaks HTTP/1.1 in the way that the message says.',
  ],
];

const timeoutHints: CodeHints = [
  [/^lookup_timeout$/, slowNameServer],
  [
    /^request_timeout$/,
    'Read the whole request, or reject it with a status: the server, or a proxy before it, stopped reading the body; with `payload` set to `thin` a body has at most 24 KiB.',
  ],
  [
    /^head_timeout$/,
    'End the headers of the response with an empty line: its status arrived, and they did not end in time.',
  ],
];

const codeHints: Partial<Record<ErrorClass, CodeHints>> = {
  tls: tlsHints,
  dns: dnsHints,
  reset: tlsHints,
  protocol: protocolHints,
  timeout: timeoutHints,
  connect_timeout: [[/^lookup_timeout$/, slowNameServer]],
};

const handshakeTimeout =
  'Check that this port speaks TLS and that the server is not overloaded: it accepted the connection, and the TLS handshake did not end.';
const handshakeReset =
  'Check that this port speaks TLS and that the server accepts TLS 1.2 or 1.3: it closed the connection during the handshake.';
const endlessBody =
  'End the response: its status arrived and its body did not end in time, so send a content-length or the last chunk, and no stream.';

const statusHints: Readonly<Record<number, string>> = {
  304: 'Look for a cache or a handler that treats this POST as a GET: 304 is the answer to a conditional GET, not a 2xx.',
  400: 'The handler rejected the body: verify the signature over the raw bytes, before anything parses them.',
  401: 'Let deliveries in without a login: they prove who sent them by their signature.',
  403: 'Look for a firewall, an allow-list or CSRF protection that stops posts to this path.',
  404: 'Check the path of the endpoint’s url: the server does not know it.',
  405: 'Let this path accept POST.',
  408: 'The server gave up reading the request: look for a slow proxy in front of it.',
  410: 'Point the endpoint to its new address and set its status to active: 410 asks for no more deliveries.',
  413: 'Raise the size of a body that the server or its proxy accepts to 4 MB, or set the endpoint’s `payload` to `thin`: thin events have at most 24 KiB.',
  415: 'Accept the content type application/json on this path.',
  422: 'The handler rejected the event: ignore event types and fields that it does not know.',
  429: 'The server asks for fewer requests: allow more, or tell how long to wait in Retry-After.',
  500: 'Check your server’s log at the time of this attempt: the handler failed.',
  502: 'A proxy got no valid response from the application behind it: check that the application runs.',
  503: 'The server is overloaded or being deployed; it can tell how long to wait in Retry-After.',
  504: 'A proxy waited too long for the application: respond first, and do the work afterwards.',
};

const redirectHint = 'Set the endpoint’s url to the final address: redirects are never followed.';
const rejectedHint =
  'Make the handler respond with 2xx once it has accepted the event: any other status counts as a failure.';
const failedHint = 'Check your server’s log at the time of this attempt: the server failed.';

const changedBody =
  'Pass the raw bytes of the body to the verification: the receiver gave it something that was parsed or changed before.';
const mangledHeaders =
  'Look for a proxy that changes or shortens the signature headers: the receiver could not read them.';
const notAnEvent =
  'The signature is right, and the receiver rejected the body: update the client that it reads events with.';

/** Reasons of the clients' verification helpers, which a receiver's response may repeat. */
export const receiverReasonHints = {
  invalid_secret:
    'Set the endpoint’s whole secret (whsec_…) in the receiver: what it has there is empty or incomplete.',
  no_matching_signature:
    'Check that the receiver has the secret of this endpoint, not of another one or from before a rotation, and verifies the raw body: its signature did not match.',
  timestamp_too_old:
    'Check the receiver’s clock and the time that a request waits before it: the signature was more than five minutes old there, and each attempt has a new one.',
  timestamp_in_future: 'Set the receiver’s clock: it is behind by more than five minutes.',
  missing_header:
    'Look for a proxy that drops headers: x-service-signature, or webhook-id, webhook-timestamp and webhook-signature, did not reach the receiver.',
  malformed_header: mangledHeaders,
  malformed_id: mangledHeaders,
  malformed_timestamp: mangledHeaders,
  malformed_signature: mangledHeaders,
  unsupported_version:
    'Give the receiver what this endpoint signs with: the secret (whsec_…) for v1, the public key (whpk_…) for v1a.',
  missing_body: changedBody,
  body_not_read: changedBody,
  body_already_parsed: changedBody,
  malformed_json: notAnEvent,
  malformed_event: notAnEvent,
} as const satisfies Record<string, string>;

/** Messages of the libraries of Standard Webhooks. */
const libraryMessages: readonly (readonly [message: RegExp, reason: keyof typeof receiverReasonHints])[] = [
  [/no matching signature found/i, 'no_matching_signature'],
  [/message timestamp too old/i, 'timestamp_too_old'],
  [/message timestamp too new/i, 'timestamp_in_future'],
  [/missing required headers/i, 'missing_header'],
  [/invalid signature headers/i, 'malformed_header'],
];

export interface AttemptToExplain {
  /** An error class or, with a status, `http_<status>`; null for a success. */
  readonly error: string | null;
  readonly status_code?: number | null;
  readonly error_code?: string | null;
  readonly response_snippet?: string | null;
  /** True if the TCP connection was established and the TLS handshake of an https url did not end. */
  readonly handshake?: boolean;
}

/** One sentence of advice about a failed attempt; null for a success. */
export function hintForAttempt(attempt: AttemptToExplain): string | null {
  const { error, status_code: status = null } = attempt;
  if (error === null) return null;
  if (!error.startsWith('http_')) return hintForError(isErrorClass(error) ? error : 'unknown', attempt);
  return status === null ? errorClassHints.unknown : hintForStatus(status, attempt.response_snippet ?? '');
}

function hintForError(error: ErrorClass, { status_code, error_code, handshake = false }: AttemptToExplain): string {
  const known = codeHints[error]?.find(([code]) => code.test(error_code ?? ''));
  if (known !== undefined) return known[1];
  if (error === 'timeout' && status_code != null) return endlessBody;
  if (handshake && (error === 'timeout' || error === 'connect_timeout')) return handshakeTimeout;
  if (handshake && error === 'reset') return handshakeReset;
  return errorClassHints[error];
}

function hintForStatus(status: number, body: string): string {
  const reason = status >= 400 ? reasonIn(body) : undefined;
  if (reason !== undefined) return receiverReasonHints[reason];
  const known = statusHints[status];
  if (known !== undefined) return known;
  if (status >= 300 && status <= 399) return redirectHint;
  return status >= 500 ? failedHint : rejectedHint;
}

function reasonIn(body: string): keyof typeof receiverReasonHints | undefined {
  for (const [word] of body.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) if (isReceiverReason(word)) return word;
  return libraryMessages.find(([message]) => message.test(body))?.[1];
}

function isErrorClass(error: string): error is ErrorClass {
  return Object.hasOwn(errorClassHints, error);
}

function isReceiverReason(word: string): word is keyof typeof receiverReasonHints {
  return Object.hasOwn(receiverReasonHints, word);
}
