import { maxHeaderBytes, maxInterimBytes, maxInterimResponses } from './limits.ts';

/** Codes are stored with attempts, so they are stable. Messages contain no data of the response. */
const messages = {
  not_http: 'The response does not start with an HTTP/1 status line.',
  http_version: 'The response has a version other than HTTP/1.x.',
  status_out_of_range: 'The status of the response is not a number from 100 to 999.',
  header_without_colon: 'A header of the response has no colon.',
  header_name_invalid: 'The name of a response header is empty or contains a character that is not allowed.',
  space_before_colon: 'A header of the response has a space before the colon.',
  header_value_invalid: 'A response header contains a NUL or a carriage return within the line.',
  header_folding: 'The first header of the response starts with a space: there is no line that it continues.',
  headers_too_large: `The response headers are longer than ${maxHeaderBytes / 1024} KiB.`,
  too_many_interim_responses: `More than ${maxInterimResponses} interim (1xx) responses, or more than ${maxInterimBytes / 1024} KiB of them, came before the final response.`,
  switching_protocols: 'The response switches to another protocol (101), which the request did not ask for.',
  content_length_invalid: 'The content-length of the response is not a number.',
  content_length_conflict: 'The response has two different content-length values.',
  length_and_chunked: 'The response has both a content-length and a chunked transfer-encoding.',
  chunk_size_invalid: 'The response body has a chunk whose size is not a hexadecimal number.',
  chunk_end_missing: 'The response body has a chunk that does not end with CRLF.',
  chunk_overhead: 'The response body has more bytes for chunk sizes and extensions than it has data.',
  trailers_too_large: `The trailers of the response are longer than ${maxHeaderBytes / 1024} KiB.`,
} as const;

export type ProtocolErrorCode = keyof typeof messages;

/** The response violates HTTP/1.1 (RFC 9112). */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: ProtocolErrorCode;

  constructor(code: ProtocolErrorCode) {
    super(messages[code]);
    this.code = code;
  }
}
