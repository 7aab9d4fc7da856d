import { z } from 'zod';
import { coded, openRecord, secret } from '../scalars.ts';

const MAX_HEADERS = 20;
const MAX_BYTES = 8_192;
const MAX_VALUE = 1_000;

// A token of RFC 9110, section 5.6.2, and a field value of section 5.5 without the obsolete bytes.
const namePattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const valuePattern = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Names that belong to the connection, to the message's form or to the service's own headers. */
const reserved = new RegExp(
  `^(${[
    'host|date|via|te|trailer|upgrade|expect|connection|keep-alive|transfer-encoding|accept-encoding|http2-settings',
    'cookie|set-cookie|user-agent|forwarded|traceparent|tracestate|__proto__|content-.*|proxy-.*|webhook-.*|svix-.*|x-service-.*|x-forwarded-.*',
  ].join('|')})$`,
  'i',
);

const headerName = z
  .string()
  .refine(
    (name) => namePattern.test(name),
    coded('invalid_format', 'must be a header name of at most 64 characters (RFC 9110 token)'),
  )
  .refine(
    (name) => !reserved.test(name),
    coded('not_applicable', 'must not be a header that the service or the connection sets itself'),
  );

const headerValue = z
  .string()
  .refine(
    (value) => value.length <= MAX_VALUE && valuePattern.test(value),
    coded('invalid_format', `must be 1 to ${MAX_VALUE} characters of printable ASCII without space at its ends`),
  );

function byteLength(headers: Readonly<Record<string, string>>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

/** Headers that are sent along with every delivery, credentials as often as not. Their names are kept in lower case. */
export const endpointHeaders = secret(
  openRecord(headerName, headerValue, MAX_HEADERS, 'headers')
    .refine(
      (headers) => new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
      coded('already_exists', 'must not name a header twice'),
    )
    .refine((headers) => byteLength(headers) <= MAX_BYTES, coded('too_long', `must have at most ${MAX_BYTES} bytes`)),
);
