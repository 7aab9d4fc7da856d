/**
 * Every error code of the service with its status, public title and whether the same request may succeed later.
 * One code has one status (RFC 9457 problem documents; statuses after RFC 9110).
 */
export const errors = {
  malformed_json: { status: 400, title: 'The body is not valid JSON', retryable: false },
  duplicate_json_key: { status: 400, title: 'A JSON object has the same key twice', retryable: false },
  malformed_body: { status: 400, title: 'The body cannot be read', retryable: false },
  unknown_parameter: { status: 400, title: 'A query parameter is unknown', retryable: false },
  invalid_cursor: { status: 400, title: 'The cursor is invalid', retryable: false },
  invalid_idempotency_key: { status: 400, title: 'The Idempotency-Key is invalid', retryable: false },
  missing_credentials: { status: 401, title: 'An API key is required', retryable: false },
  invalid_api_key: { status: 401, title: 'The API key is invalid', retryable: false },
  expired_api_key: { status: 401, title: 'The API key has expired', retryable: false },
  revoked_api_key: { status: 401, title: 'The API key was revoked', retryable: false },
  session_ended: { status: 401, title: 'The session has ended', retryable: false },
  session_changed: { status: 401, title: 'The browser is signed in by another session', retryable: false },
  insufficient_scope: { status: 403, title: 'The API key may not do this', retryable: false },
  ip_not_allowed: { status: 403, title: 'The API key may not be used from this address', retryable: false },
  csrf_failed: { status: 403, title: 'The request did not come from the dashboard', retryable: false },
  not_found: { status: 404, title: 'Not found', retryable: false },
  company_not_found: { status: 404, title: 'Company not found', retryable: false },
  method_not_allowed: { status: 405, title: 'The method is not allowed here', retryable: false },
  request_timeout: { status: 408, title: 'The request took too long to come in', retryable: true },
  company_dissolved: { status: 409, title: 'The company is dissolved', retryable: false },
  connection_disconnected: { status: 409, title: 'The bank connection is disconnected', retryable: false },
  invalid_state_transition: { status: 409, title: 'The state does not allow this', retryable: false },
  sync_not_available: { status: 409, title: 'The connection cannot be synced', retryable: false },
  self_review: { status: 409, title: 'The requester cannot decide', retryable: false },
  limit_reached: { status: 409, title: 'A limit of the account is reached', retryable: false },
  idempotency_in_progress: { status: 409, title: 'The first request with this key is still running', retryable: true },
  body_too_large: { status: 413, title: 'The body is too large', retryable: false },
  batch_too_large: { status: 413, title: 'The batch is too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'The content type is not supported', retryable: false },
  validation_failed: { status: 422, title: 'The request is invalid', retryable: false },
  idempotency_key_reuse: { status: 422, title: 'The Idempotency-Key belongs to another request', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  headers_too_large: { status: 431, title: 'The URL or the headers are too long', retryable: false },
  internal: { status: 500, title: 'Something went wrong on our side', retryable: true },
  unavailable: { status: 503, title: 'The service is briefly unavailable', retryable: true },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>;

export type ErrorCode = keyof typeof errors;

/** Codes that stand in `errors[].code` of a `validation_failed` problem: one per faulty field. */
export const fieldErrorCodes = [
  'required',
  'invalid_type',
  'invalid_format',
  'invalid_date',
  'timezone_required',
  'date_out_of_range',
  'not_an_integer',
  'out_of_range',
  'country_unknown',
  'currency_unknown',
  'enum_unknown',
  'too_long',
  'too_short',
  'too_few',
  'too_many',
  'unknown_event_type',
  'invalid_url',
  'url_not_allowed',
  'company_not_found',
  'connection_not_found',
  'empty_batch',
  'ambiguous_body',
  'invalid_timezone',
  'authority_exceeded',
  'record_not_found',
  'already_exists',
  'agent_not_found',
  'not_applicable',
] as const;

export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/** One fault of a request: an RFC 6901 pointer into the body (or the parameter's name), a stable code, a sentence. */
export interface FieldError {
  pointer: string;
  code: FieldErrorCode;
  message: string;
}

/** An RFC 9457 problem document with this service's extension members. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ErrorCode;
  request_id: string;
  retryable: boolean;
  errors?: readonly FieldError[];
  errors_truncated?: true;
  [extension: string]: unknown;
}
