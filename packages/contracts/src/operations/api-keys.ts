import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { apiKey, apiKeyName, scope } from '../records/api-key.ts';
import { listOf, pageParameters, warnings } from '../records/list.ts';
import { idParameter, optional, text } from '../scalars.ts';

export const apiKeyOperations = {
  create: defineOperation({
    id: 'apiKeys.create',
    kind: 'mutation',
    summary: 'Mint an API key; the key is in this answer and nowhere else',
    http: { method: 'POST', path: '/api-keys', success: 201 },
    scopes: ['human'],
    permission: 'keys:write',
    input: z.object({
      name: apiKeyName,
      scope,
      expires_in_days: optional(z.int().min(1).max(3650)),
    }),
    output: apiKey.extend({ key: z.string(), warnings: warnings.optional() }),
    errors: [],
    emits: ['api_key.created'],
    secretOutput: true,
    example: { name: 'Reporting', scope: 'read' },
  }),
  list: defineOperation({
    id: 'apiKeys.list',
    kind: 'query',
    summary: 'List API keys, newest first, without the keys themselves',
    http: { method: 'GET', path: '/api-keys', success: 200 },
    scopes: ['human', 'read'],
    input: z.object({ ...pageParameters, status: z.enum(['active', 'expired', 'revoked']).optional() }),
    output: listOf(apiKey),
    errors: ['invalid_cursor'],
    emits: [],
    example: {},
  }),
  revoke: defineOperation({
    id: 'apiKeys.revoke',
    kind: 'mutation',
    summary: 'Revoke an API key; it stops working everywhere within a second',
    http: {
      method: 'POST',
      path: '/api-keys/{key_id}/revoke',
      success: 200,
      aliases: [{ method: 'DELETE', path: '/api-keys/{key_id}', success: 204 }],
    },
    scopes: ['human'],
    permission: 'keys:write',
    input: z.object({ key_id: idParameter, reason: optional(text(1, 500)) }),
    output: apiKey.extend({ warnings: warnings.optional() }),
    errors: ['not_found'],
    emits: ['api_key.revoked'],
    example: {},
  }),
};
