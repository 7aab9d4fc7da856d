import { z } from 'zod';

/** Codes of `errors[].code` in a `validation_failed` problem: one per invalid field. */
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
  'unknown_field',
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

export const fieldError = z
  .object({
    pointer: z.string().describe('RFC 6901 JSON pointer into the body, or the name of a query parameter.'),
    code: z.enum(fieldErrorCodes).describe('Stable error code.'),
    message: z.string().describe('The rule and the rejected value in one sentence; the wording may change.'),
  })
  .meta({ id: 'FieldError', description: 'One invalid field of a request.' });
export type FieldError = z.output<typeof fieldError>;
