import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { bankConnection, connectionFields, connectionSecret, connectionStatus } from '../records/bank-connection.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { syncRun, syncStatus } from '../records/sync-run.ts';
import { currencyInput, idParameter, localDate, optional, secret, text } from '../scalars.ts';

const written = bankConnection.extend({ warnings: warnings.optional() });

export const connectionOperations = {
  connections: {
    create: defineOperation({
      id: 'bank.connections.create',
      kind: 'mutation',
      summary: 'Connect a bank provider to a company',
      http: { method: 'POST', path: '/companies/{company_id}/bank/connections', success: 201 },
      scopes: ['human'],
      permission: 'connections:write',
      input: z.object({
        company_id: idParameter,
        provider: text(1, 100),
        ...connectionFields,
        currency: optional(currencyInput),
        config: optional(z.object({ url: secret(z.string().min(1).max(2048)) })).meta({
          description:
            'For the provider `http`: where its pages of balances and transactions are, of at most 5 000 rows',
        }),
        replaces: optional(idParameter).meta({ description: 'A disconnected connection that this one continues' }),
      }),
      output: written,
      errors: ['company_not_found', 'company_dissolved'],
      emits: ['bank.connected', 'bank.connection.linked'],
      example: { provider: 'sandbox', institution_name: 'Example Bank', currency: 'USD' },
    }),
    list: defineOperation({
      id: 'bank.connections.list',
      kind: 'query',
      summary: "List a company's bank connections, newest first",
      http: { method: 'GET', path: '/companies/{company_id}/bank/connections', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        ...timeFilters,
        status: connectionStatus.optional(),
        provider: text(1, 100).optional(),
        external_ref: text(1, 255).optional(),
      }),
      output: listOf(bankConnection),
      errors: ['company_not_found', 'invalid_cursor'],
      emits: [],
      example: {},
    }),
    get: defineOperation({
      id: 'bank.connections.get',
      kind: 'query',
      summary: 'Read a bank connection',
      http: { method: 'GET', path: '/bank/connections/{connection_id}', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({ connection_id: idParameter }),
      output: bankConnection,
      errors: ['not_found'],
      emits: [],
      example: {},
    }),
    setSecret: defineOperation({
      id: 'bank.connections.setSecret',
      kind: 'mutation',
      summary: "Store the provider's API token; it is encrypted and never told again",
      http: { method: 'PUT', path: '/bank/connections/{connection_id}/secret', success: 200 },
      scopes: ['human'],
      permission: 'connections:write',
      input: z.object({ connection_id: idParameter, secret: connectionSecret }),
      output: written,
      errors: ['not_found', 'company_dissolved', 'connection_disconnected'],
      emits: ['bank.connection.secret_configured'],
      example: { secret: 'sandbox-token-0001' },
    }),
    sync: defineOperation({
      id: 'bank.connections.sync',
      kind: 'mutation',
      summary: 'Pull balances and transactions now; the first sync covers the last twelve months',
      http: { method: 'POST', path: '/bank/connections/{connection_id}/sync', success: 202 },
      scopes: ['human'],
      permission: 'connections:write',
      input: z.object({
        connection_id: idParameter,
        from: optional(localDate).meta({
          description: 'Pull from this day (UTC) on, where it is before the one that the sync would begin at by itself',
        }),
      }),
      output: syncRun.extend({ warnings: warnings.optional() }),
      errors: ['not_found', 'company_dissolved', 'connection_disconnected', 'sync_not_available'],
      emits: [],
      emitsLater: ['partner.sync_completed'],
      example: {},
    }),
    disconnect: defineOperation({
      id: 'bank.connections.disconnect',
      kind: 'mutation',
      summary: 'End a bank connection: its token is wiped, its rows stay and no longer count as cash on hand',
      http: {
        method: 'POST',
        path: '/bank/connections/{connection_id}/disconnect',
        success: 200,
        aliases: [{ method: 'DELETE', path: '/bank/connections/{connection_id}', success: 204 }],
      },
      scopes: ['human'],
      permission: 'connections:write',
      input: z.object({ connection_id: idParameter, reason: optional(text(1, 500)) }),
      output: written,
      errors: ['not_found'],
      emits: ['bank.connection.disconnected'],
      example: { reason: 'The account was closed' },
    }),
  },
  syncs: {
    list: defineOperation({
      id: 'bank.syncs.list',
      kind: 'query',
      summary: 'List the sync runs of a bank connection, newest first',
      http: { method: 'GET', path: '/bank/connections/{connection_id}/syncs', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({
        connection_id: idParameter,
        ...pageParameters,
        ...timeFilters,
        status: syncStatus.optional(),
      }),
      output: listOf(syncRun),
      errors: ['not_found', 'invalid_cursor'],
      emits: [],
      example: {},
    }),
    get: defineOperation({
      id: 'bank.syncs.get',
      kind: 'query',
      summary: 'Read a sync run',
      http: { method: 'GET', path: '/bank/syncs/{sync_id}', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({ sync_id: idParameter }),
      output: syncRun,
      errors: ['not_found'],
      emits: [],
      example: {},
    }),
  },
};
