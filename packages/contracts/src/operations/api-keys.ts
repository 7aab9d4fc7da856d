import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { apiKey, apiKeyName, keyNarrowing, scope } from '../records/api-key.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { id, idParameter, optional, text } from '../scalars.ts';

export const apiKeyOperations = {
  create: defineOperation({
    summary: 'Create an API key',
    description:
      'The `key` is in this response only. It can do at most what the key of the request can: what is left out is inherited, and asking for more is rejected with 422 `authority_exceeded`. A key of scope `agent` requires `agent_id`. A key of scope `ingest` is for a provider: it calls the three ingest endpoints, with `dry_run` too, and nothing else; `company_ids`, `connection_ids` and `sources` narrow it further. Emits `api_key.created`. An account has at most 100 active keys, unless its operator sets another quota (409 `limit_reached`).',
    http: { method: 'POST', path: '/api-keys', success: 201 },
    permission: 'keys:write',
    input: z.object({
      name: apiKeyName,
      scope,
      ...keyNarrowing,
      expires_in_days: optional(z.int().min(1).max(3650)).describe(
        'Days until the key expires. By default it expires with the key of the request, or never.',
      ),
    }),
    output: writeResult(
      apiKey
        .extend({ key: z.string().describe('The API key itself. It is returned once and cannot be read again.') })
        .meta({ id: 'CreatedApiKey' }),
    ),
    errors: ['limit_reached', 'connection_owned'],
    emits: ['api_key.created'],
    secretOutput: true,
    example: { name: 'Reporting', scope: 'read' },
  }),
  list: defineOperation({
    summary: 'List API keys, newest first',
    description:
      'The keys themselves are never returned. A key limited to some companies gets the keys without access to other companies.',
    http: { method: 'GET', path: '/api-keys' },
    scopes: ['human', 'read'],
    input: z.object({
      ...pageParameters,
      status: z.enum(['active', 'expired', 'revoked']).optional().describe('Only keys with this status.'),
      scope: scope.optional().describe('Only keys of this scope.'),
      q: text(1, 200).optional().describe('Only keys whose name contains this text, in any case.'),
      ...timeFilters,
    }),
    output: listOf(apiKey),
  }),
  get: defineOperation({
    summary: 'Read an API key',
    description: 'The key itself is never returned.',
    http: { method: 'GET', path: '/api-keys/{key_id}' },
    scopes: ['human', 'read'],
    input: z.object({ key_id: idParameter }),
    output: apiKey,
  }),
  rotate: defineOperation({
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same name, scope and authority; one of scope `ingest` may also overwrite what the old key posted; its `key` is in this response only. The old key works until the overlap ends and then counts as revoked; until then both count towards the quota of active keys (409 `limit_reached`). Emits `api_key.created`, and `api_key.revoked` when the overlap ends. A key that has ended or was rotated before is 409 `invalid_state_transition`. A key that can do more than the key of the request, or a `human` key of another person, is 403 `insufficient_scope`.',
    http: { method: 'POST', path: '/api-keys/{key_id}/rotate', success: 201 },
    permission: 'keys:write',
    input: z.object({
      key_id: idParameter,
      overlap_seconds: optional(z.int().min(0).max(604_800)).describe(
        'How long the old key still works, at most 7 days. The default is one day; 0 revokes it at once.',
      ),
    }),
    output: writeResult(
      apiKey
        .extend({
          key: z.string().describe('The API key itself. It is returned once and cannot be read again.'),
          replaces: id('key').describe('ID of the key that this one replaces.'),
        })
        .meta({ id: 'RotatedApiKey' }),
    ),
    errors: ['invalid_state_transition', 'limit_reached', 'connection_owned'],
    emits: ['api_key.created', 'api_key.revoked'],
    emitsLater: ['api_key.revoked'],
    secretOutput: true,
    example: { overlap_seconds: 3_600 },
  }),
  revoke: defineOperation({
    summary: 'Revoke an API key',
    description:
      'The key stops working everywhere within a second. Emits `api_key.revoked`. A repeat changes nothing, and an expired key is 409 `invalid_state_transition`. The last active key that can create keys for the whole account cannot be revoked (409 `last_key`), nor one that can do more than the key of the request (403 `insufficient_scope`).',
    http: {
      method: 'POST',
      path: '/api-keys/{key_id}/revoke',
      aliases: [{ method: 'DELETE', path: '/api-keys/{key_id}', success: 204 }],
    },
    permission: 'keys:write',
    input: z.object({
      key_id: idParameter,
      reason: optional(text(1, 500)).describe('Reason of the revocation, kept in its event.'),
    }),
    output: writeResult(apiKey),
    errors: ['invalid_state_transition', 'last_key'],
    emits: ['api_key.revoked'],
  }),
};
