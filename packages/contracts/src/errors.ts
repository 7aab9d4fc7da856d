interface ErrorEntry {
  status: number;
  title: string;
  /** CommonMark, as is `action`. */
  meaning: string;
  action: string;
  /** The same request may succeed later. */
  retryable?: true;
}

const entries = {
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    meaning: 'The body is not JSON (RFC 8259), or it is nested too deeply.',
    action: 'Send the output of a JSON serializer.',
  },
  duplicate_json_key: {
    status: 400,
    title: 'A JSON object has the same key twice',
    meaning: 'An object in the body has the same key twice, so it is ambiguous which value counts.',
    action: 'Send each key once; `pointer` names the one that is repeated.',
  },
  malformed_body: {
    status: 400,
    title: 'The body cannot be read',
    meaning:
      'The request cannot be read: its body ended early, is not UTF-8 or not valid gzip, or its headers are invalid.',
    action: 'Let an HTTP client write the headers and the body, and send UTF-8.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A query parameter is unknown',
    meaning:
      'The query string has a parameter that the operation does not take, or one parameter twice. It is not ignored, because ignoring a filter would return wrong data.',
    action: 'Remove or rename the parameter; `detail` lists the valid ones.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is invalid',
    meaning: '`after` or `before` is not a cursor of this list with these filters.',
    action: 'Pass `next_cursor` or `prev_cursor` of the same list unchanged, or start at the first page.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'The Idempotency-Key is invalid',
    meaning: 'The `Idempotency-Key` header is empty, too long or has characters other than visible ASCII.',
    action: 'Send 1 to 255 visible ASCII characters, for example a UUID.',
  },
  missing_credentials: {
    status: 401,
    title: 'An API key is required',
    meaning: 'The request has no credentials.',
    action: 'Send an API key in the header `Authorization: Bearer <key>`.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is invalid',
    meaning: 'The key is not known. It may be incomplete or deleted, or belong to another installation.',
    action: 'Check that the whole key is sent, and that it belongs to this service.',
  },
  expired_api_key: {
    status: 401,
    title: 'The API key has expired',
    meaning: 'The key has passed its `expires_at`.',
    action: 'Create a new key.',
  },
  revoked_api_key: {
    status: 401,
    title: 'The API key was revoked',
    meaning: 'The key was revoked or rotated, and its overlap has ended.',
    action: 'Use the key that replaced it, or create a new one.',
  },
  session_ended: {
    status: 401,
    title: 'The session has ended',
    meaning: 'The dashboard session was signed out, revoked or has expired.',
    action: 'Sign in again.',
  },
  session_changed: {
    status: 401,
    title: 'The browser has another session',
    meaning: 'Another session was opened in the same browser after this page was loaded.',
    action: 'Reload the page.',
  },
  authorization_pending: {
    status: 400,
    title: 'Nobody has confirmed the login yet',
    meaning: 'A person has to confirm the login in the dashboard first (RFC 8628).',
    action: 'Wait as long as the interval of the login, and poll again.',
    retryable: true,
  },
  slow_down: {
    status: 400,
    title: 'The login is polled too often',
    meaning: 'The last request with this device code was less than the interval of the login ago (RFC 8628).',
    action: 'Wait five seconds longer between polls.',
    retryable: true,
  },
  access_denied: {
    status: 400,
    title: 'The login was denied',
    meaning: 'A person denied the login, or the key that confirmed it may not create the new key any more.',
    action: 'Begin a new login, and confirm it.',
  },
  expired_token: {
    status: 400,
    title: 'The login has ended',
    meaning: 'The device code is unknown, has expired, or was already exchanged for a key.',
    action: 'Begin a new login.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key may not do this',
    meaning: 'The key is valid, but its scope or permissions do not allow this operation.',
    action: 'Use a key with one of the scopes in `required`, or with the permission that `detail` names.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'The API key may not be used from this address',
    meaning: 'The key has an `ip_allowlist`, and the address of the request is not on it.',
    action: 'Send the request from an allowed address, or create a key with a different list.',
  },
  csrf_failed: {
    status: 403,
    title: 'The request did not come from the dashboard',
    meaning: 'A request with a session cookie did not prove that it comes from the dashboard.',
    action: 'Reload the dashboard. Programs should use an API key instead of a session.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such record or path, or the key has no access to it.',
    action: 'Check the ID, the path, and the account of the API key.',
  },
  company_not_found: {
    status: 404,
    title: 'Company not found',
    meaning: 'There is no company with this ID, or the key has no access to it.',
    action: 'Check the company ID and the account of the API key.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    meaning: 'The path exists but does not support the HTTP method.',
    action: 'Use one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    status: 406,
    title: 'No accepted content type is available',
    meaning: 'The `Accept` header allows none of the content types that the operation can return.',
    action: 'Accept `application/json`, or leave the header out.',
  },
  request_timeout: {
    status: 408,
    title: 'The request was not received in time',
    meaning: 'The request was not received completely within the time limit.',
    action: 'Send it again, in a smaller body if the connection is slow.',
    retryable: true,
  },
  company_dissolved: {
    status: 409,
    title: 'The company is dissolved',
    meaning: 'The company is dissolved. Its records can be read but no longer changed.',
    action: 'Stop sending data for this company.',
  },
  connection_disconnected: {
    status: 409,
    title: 'The bank connection is disconnected',
    meaning: 'The bank connection named by the request is disconnected, which is permanent.',
    action: 'Create a new bank connection and use its ID.',
  },
  connection_owned: {
    status: 409,
    title: 'The data belongs to another key',
    meaning:
      'A key of scope ingest posted to a connection or a statement snapshot that belongs to another key: the one that posted its first row, that it was handed to, or that lists the connection. Or a key would list a connection that another active key lists. `owner_scope` is the scope of the other key.',
    action:
      'Send a connection ID of your own, or let the account post these rows with a key of scope human, hand the connection over, or revoke the key that lists it.',
  },
  invalid_state_transition: {
    status: 409,
    title: 'The state does not allow this',
    meaning: 'The record is in a state in which the operation is not possible.',
    action: 'Compare `current_status` and `allowed`, and read the record before the next attempt.',
  },
  account_not_counted: {
    status: 409,
    title: "The account's rows don't count",
    meaning:
      'Transactions belong to an investment, restricted or loan account, whose rows are in no figure whatever they are: `count` rows, of the accounts in `connection_ids`. Nothing was changed.',
    action:
      "Leave these rows without a class, or correct the account's type in the settings of the figures. To change many rows, send one request for each of the other accounts.",
  },
  count_changed: {
    status: 409,
    title: 'The request expects another number of records',
    meaning:
      'The request concerns another number of records than its `expected_count`: records were added or changed since they were counted. `count` states how many there are now. Nothing was changed.',
    action: 'Look at the list or the dry run again, then send the number that it has now.',
  },
  sync_not_available: {
    status: 409,
    title: 'The connection cannot be synced',
    meaning: "The connection's provider pushes its data, or no token is stored for it, so there is nothing to pull.",
    action: 'Store a token first, or post the data yourself.',
  },
  self_review: {
    status: 409,
    title: 'The requester cannot decide',
    meaning: 'A person cannot decide their own request for approval, with any of their keys.',
    action: 'Let another person decide, with a key that an operator created for them (`account:key`).',
  },
  last_key: {
    status: 409,
    title: 'The last key that can create keys must stay',
    meaning: 'The key is the last active key of scope human that can create keys for the whole account.',
    action: 'Create another such key or rotate this one, or let an operator create one (`account:key`).',
  },
  limit_reached: {
    status: 409,
    title: 'A limit of the account is reached',
    meaning: 'The account already has the maximum number of these records; `limit` states it.',
    action: 'Delete or finish some of them first.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this key is still running',
    meaning: 'A request with the same `Idempotency-Key` is still being processed.',
    action: 'Wait for the time in `Retry-After`, then send the same request again.',
    retryable: true,
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning:
      'The body is larger than `limit_bytes`, or holds more JSON values than `limit_values`. Nothing was stored.',
    action: 'Split the request.',
  },
  batch_too_large: {
    status: 413,
    title: 'The batch is too large',
    meaning: 'The batch has more rows than the limit in `limit`. Nothing was stored.',
    action: 'Split the batch.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The content type is not supported',
    meaning: 'The body is not JSON, or its encoding is not supported.',
    action: 'Send `Content-Type: application/json` in UTF-8, uncompressed or as gzip.',
  },
  wrong_cell: {
    status: 421,
    title: 'The request is for another cell',
    meaning:
      'The installation consists of several cells, and the API key, session or link belongs to another one, or a login names another one. `cell` and the header `finhook-cell` name it. Nothing was done.',
    action:
      'Send the request to the proxy in front of the cells, which passes it on, or to the address of the cell in `cell`.',
  },
  validation_failed: {
    status: 422,
    title: 'The request is invalid',
    meaning:
      'One or more fields are invalid. Nothing was stored. `errors` lists the fields with a stable code each; `warnings` names fields of the request that do not exist.',
    action: 'Correct the fields in `errors` and send the request again.',
  },
  option_contradicts_decision: {
    status: 422,
    title: 'The option makes another decision',
    meaning: 'The named option of the request denies and the decision approves, or the reverse. Nothing was decided.',
    action: 'Send the decision of the option, which is `option_decision`, or name another option.',
  },
  idempotency_key_reuse: {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    meaning: 'The API key, or one of its rotations, used the `Idempotency-Key` for a different request before.',
    action: 'Use a new key for each new request; repeat a request with exactly the same bytes.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'The key, the account or the address has sent too many requests.',
    action: 'Wait for the time in `Retry-After`, and send fewer requests at once.',
    retryable: true,
  },
  headers_too_large: {
    status: 431,
    title: 'The URL or the headers are too long',
    meaning: 'The URL or the headers exceed the size limit.',
    action: 'Send a shorter URL and fewer headers.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    meaning: 'The service failed. The cause is in its log under the `request_id`.',
    action: 'Send the request again with the same `Idempotency-Key`; if it fails again, report the `request_id`.',
    retryable: true,
  },
  account_moving: {
    status: 503,
    title: 'The account is being moved',
    meaning:
      'The account is being moved to another cell of the service. Until it has arrived, its records can be read and not changed. Nothing was stored.',
    action: 'Wait for the time in `Retry-After`, then send the request again with the same `Idempotency-Key`.',
    retryable: true,
  },
  unavailable: {
    status: 503,
    title: 'The service is briefly unavailable',
    meaning: 'The service cannot reach its database, or is overloaded.',
    action: 'Wait for the time in `Retry-After`, then send the request again with the same `Idempotency-Key`.',
    retryable: true,
  },
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof entries;
/** One code has one status (RFC 9457, RFC 9110). */
export const errors: Readonly<Record<ErrorCode, ErrorEntry>> = entries;
export const errorCodes = Object.keys(entries).filter((code): code is ErrorCode => Object.hasOwn(entries, code));

/** A relative reference (RFC 9457, section 3.1.1). */
export function errorPage(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}
