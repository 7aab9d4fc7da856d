import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import { fieldError } from '../field-error.ts';
import { warnings } from './list.ts';

export const problem = z
  .object({
    type: z.string().describe('Reference of the page about the error, relative to the address of the service.'),
    title: z.string().describe('Short summary of the error code.'),
    status: z.int().describe('HTTP status code of the response.'),
    detail: z.string().describe('What is wrong with this request, for people.'),
    instance: z.string().describe('Path of the request.'),
    code: z.enum(errorCodes).describe('Stable error code for programs.'),
    request_id: z.string().describe('ID of the request, as in the log of the service.'),
    retryable: z.boolean().describe('Whether the same request may succeed later.'),
    errors: z.array(fieldError).optional().describe('The invalid fields of a `validation_failed`.'),
    errors_truncated: z.boolean().optional().describe('`true` if there are more invalid fields than `errors` lists.'),
    warnings: warnings.optional().describe('Fields of the body that do not exist, with a `validation_failed`.'),
    pointer: z.string().optional().describe('RFC 6901 JSON pointer to the key of a `duplicate_json_key`.'),
    required: z.array(z.string()).optional().describe('Scopes that may call the operation, with `insufficient_scope`.'),
    owner_scope: z
      .enum(['human', 'ingest'])
      .optional()
      .describe('Scope of the key that owns the data, with `connection_owned`.'),
    option_decision: z
      .enum(['approve', 'deny'])
      .optional()
      .describe('The decision of the named option, with `option_contradicts_decision`.'),
    cell: z.string().optional().describe('The cell that has the account, with `wrong_cell`.'),
    current_status: z.string().optional().describe('State of the record, with `invalid_state_transition`.'),
    allowed: z
      .array(z.string())
      .optional()
      .describe(
        'With `invalid_state_transition`, the states that the record can change to or must be in; with ' +
          '`method_not_allowed`, the methods of the path.',
      ),
    limit: z
      .int()
      .optional()
      .describe('Maximum number of rows, calls or records, with `batch_too_large` and `limit_reached`.'),
    count: z
      .int()
      .optional()
      .describe(
        'Number of records: those that the request would change now, with `count_changed`; those that take no class, with `account_not_counted`.',
      ),
    connection_ids: z
      .array(z.string())
      .optional()
      .describe(
        'The accounts whose rows take no class, with `account_not_counted`; `none` is that without a connection.',
      ),
    limit_bytes: z.int().optional().describe('Maximum size of a body after decompression, with `body_too_large`.'),
    limit_values: z.int().optional().describe('Maximum number of JSON values in a body, with `body_too_large`.'),
  })
  .meta({ id: 'Problem', description: 'An error as an RFC 9457 problem document.' });
/** Some codes have additional members. */
export type Problem = z.output<typeof problem> & { [extension: string]: unknown };
