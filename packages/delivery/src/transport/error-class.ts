import { isIPv6 } from 'node:net';
import { ProtocolError } from '../http1/protocol-error.ts';
import { BlockedAddressError } from '../ssrf/resolve-host.ts';
import type { ErrorClass } from './send-result.ts';

const classByCode: ReadonlyMap<string, ErrorClass> = new Map([
  ['ENOTFOUND', 'dns'],
  ['ENODATA', 'dns'],
  ['ESERVFAIL', 'dns'],
  ['EREFUSED', 'dns'],
  ['ETIMEOUT', 'dns'],
  ['EBADNAME', 'dns'],
  ['EBADRESP', 'dns'],
  ['ECONNREFUSED', 'connect_refused'],
  ['EHOSTUNREACH', 'connect_refused'],
  ['ENETUNREACH', 'connect_refused'],
  ['EADDRNOTAVAIL', 'connect_refused'],
  ['EAFNOSUPPORT', 'connect_refused'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['connect_timeout', 'connect_timeout'],
  ['PROXY_REFUSED', 'connect_refused'],
  ['PROXY_TIMEOUT', 'connect_timeout'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['connection_closed', 'reset'],
  ['EPROTO', 'tls'],
  ['HOSTNAME_MISMATCH', 'tls'],
]);

const messages: Readonly<Record<ErrorClass, string>> = {
  blocked_address: 'The host is, or resolves to, an address that is not public.',
  dns: 'The host name could not be resolved.',
  connect_refused: 'The host could not be reached or refused the connection.',
  connect_timeout: 'The connection could not be established in time.',
  timeout: 'The endpoint did not respond completely in time.',
  reset: 'The connection was closed before a response arrived.',
  tls: 'A secure connection could not be established.',
  protocol: 'The response was not valid HTTP/1.1.',
  unknown: 'The request failed for an unknown reason.',
};

// Errors of this process or host, which must not disable endpoints.
const systemCodes: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'EADDRNOTAVAIL',
  'PROXY_UNREACHABLE',
  'PROXY_AUTH',
  'ERR_INVALID_CHAR',
]);

export function errorClassOf(error: Error): ErrorClass {
  if (error instanceof BlockedAddressError) return 'blocked_address';
  if (error instanceof ProtocolError) return 'protocol';
  // A closed port of the name server gives ECONNREFUSED too.
  if ('syscall' in error && /^(?:query|getaddrinfo)/.test(String(error.syscall))) return 'dns';
  const code = codeOf(error);
  if (code === undefined) return 'unknown';
  const known = classByCode.get(code);
  if (known !== undefined) return known;
  if (code.startsWith('EAI_')) return 'dns';
  return /^ERR_(?:TLS|SSL)_|CERT|SIGNATURE|CRL/.test(code) ? 'tls' : 'unknown';
}

/** The error's own message may contain addresses. */
export function errorMessageOf(errorClass: ErrorClass, error?: Error): string {
  if (error instanceof ProtocolError) return error.message;
  const code = error === undefined ? undefined : errorCodeOf(error);
  return code === undefined ? messages[errorClass] : `${messages[errorClass]} (${code})`;
}

export function errorCodeOf(error: Error): string | undefined {
  return error instanceof BlockedAddressError ? undefined : codeOf(error);
}

export function isSystemError(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.some((each) => each instanceof Error && isSystemError(each));
  return systemCodes.has(codeOf(error) ?? '') && !lacksIPv6(error);
}

/** Without IPv6 on this host. On IPv4 the same code means that no local port is free. */
function lacksIPv6(error: Error): boolean {
  return codeOf(error) === 'EADDRNOTAVAIL' && 'address' in error && isIPv6(String(error.address));
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
