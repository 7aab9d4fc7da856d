import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  bankConnection,
  connectionFields,
  connectionOwner,
  connectionSecret,
  connectionStatus,
  syncRun,
  syncStatus,
} from '../records/bank-connection.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { currencyInput, idParameter, localDate, optional, sampleId, secret, text } from '../scalars.ts';

const ownedConnection = idParameter.describe(
  'The `connection_id` of the rows: the ID of a bank connection or any other label; `none` for rows without one.',
);

const connectionResult = writeResult(bankConnection);

export const connectionOperations = {
  connections: {
    create: defineOperation({
      summary: 'Create a bank connection',
      description:
        'The connection is `pending` until its token is stored or the first row names it. Emits `bank.connected`, then `bank.connection.linked` with the same data. The provider `sandbox` generates data, `http` is pulled from `config.url`, and any other provider posts its rows with the ID of the connection as `connection_id`. An account has at most 1,000 connections that are not disconnected, unless its operator sets another quota (409 `limit_reached`).',
      http: { method: 'POST', path: '/companies/{company_id}/bank/connections', success: 201 },
      permission: 'connections:write',
      input: z.object({
        company_id: idParameter,
        provider: text(1, 100).describe(
          '`sandbox`, `http`, or any other label for a provider that posts its own rows.',
        ),
        ...connectionFields,
        currency: optional(currencyInput).describe('Currency of rows of this connection that name none.'),
        config: optional(
          z
            .object({ url: secret(z.string().min(1).max(2048)).describe('Address to pull from, without a query.') })
            .meta({ id: 'ConnectionConfigInput', description: 'Where a bank connection is pulled from.' }),
        ).meta({
          description:
            'Where the provider `http` is pulled from: pages of balances and transactions, of at most 5,000 rows each. Required for `http`, rejected for any other provider.',
        }),
        replaces: optional(idParameter).describe(
          'ID of a disconnected connection of the company that this one continues.',
        ),
      }),
      output: connectionResult,
      errors: ['limit_reached', 'company_dissolved'],
      emits: ['bank.connected', 'bank.connection.linked'],
      example: { provider: 'sandbox', institution_name: 'Example Bank', currency: 'USD' },
    }),
    list: defineOperation({
      summary: "List a company's bank connections, newest first",
      description: 'Includes disconnected connections. Tokens are never returned.',
      http: { method: 'GET', path: '/companies/{company_id}/bank/connections' },
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        ...timeFilters,
        status: connectionStatus.optional().describe('Only connections with this status.'),
        provider: text(1, 100).optional().describe('Only connections of this provider.'),
        external_ref: text(1, 255).optional().describe('Only connections with exactly this `external_ref`.'),
      }),
      output: listOf(bankConnection),
    }),
    get: defineOperation({
      summary: 'Read a bank connection',
      description:
        'The token is never returned; `secret_last4` has the last four characters of a token of at least twelve.',
      http: { method: 'GET', path: '/bank/connections/{connection_id}' },
      input: z.object({ connection_id: idParameter }),
      output: bankConnection,
    }),
    setSecret: defineOperation({
      summary: 'Store the API token of a bank provider',
      description:
        'The token is encrypted and never returned. Storing it activates the connection, clears its error and emits `bank.connection.secret_configured`; storing the same token again changes nothing unless the connection is in error. A running sync uses a new token from its next page on.',
      http: { method: 'PUT', path: '/bank/connections/{connection_id}/secret' },
      permission: 'connections:write',
      input: z.object({
        connection_id: idParameter,
        secret: connectionSecret.describe('API token of the provider, in visible ASCII characters.'),
      }),
      output: connectionResult,
      errors: ['company_dissolved', 'connection_disconnected'],
      emits: ['bank.connection.secret_configured'],
      example: { secret: 'sandbox-token-0001' },
    }),
    sync: defineOperation({
      summary: 'Sync a bank connection now',
      description:
        "Starts a sync run in the background and returns it; while one is running, that run is returned. The first run covers the last twelve months, a later one the time since the last run that reached the provider's end, and the seven days before. Emits `partner.sync_completed` when the run ends. Returns 409 `sync_not_available` if the connection has no token or its provider pushes its data.",
      http: { method: 'POST', path: '/bank/connections/{connection_id}/sync', success: 202 },
      permission: 'connections:write',
      input: z.object({
        connection_id: idParameter,
        from: optional(localDate).meta({
          description: 'First day (UTC) to pull, if it is earlier than the day at which the sync would begin.',
        }),
      }),
      output: writeResult(syncRun),
      errors: ['company_dissolved', 'connection_disconnected', 'sync_not_available'],
      emitsLater: ['partner.sync_completed'],
    }),
    getOwner: defineOperation({
      summary: 'Read which ingest key owns the data of a connection',
      description:
        'The data of a `connection_id` belongs to the key of scope `ingest` that posted its first row. A connection without rows has no owner.',
      http: { method: 'GET', path: '/companies/{company_id}/connections/{connection_id}/owner' },
      input: z.object({ company_id: idParameter, connection_id: ownedConnection }),
      output: connectionOwner,
    }),
    setOwner: defineOperation({
      summary: 'Hand the data of a connection over to another ingest key',
      description:
        'From then on, of the keys of scope `ingest` only this one and its rotations post balances and transactions with this `connection_id`. The stored rows stay. The key must be active, access the company, and list the connection if it lists any; a connection that another active key lists is 409 `connection_owned`. Emits no event; a repeat changes nothing.',
      http: { method: 'PUT', path: '/companies/{company_id}/connections/{connection_id}/owner' },
      permission: 'connections:write',
      input: z.object({
        company_id: idParameter,
        connection_id: ownedConnection,
        key_id: idParameter
          .nullable()
          .describe(
            'ID of the new owner, a key of scope `ingest` (`key_…`); null for none: then human keys and syncs post the data.',
          ),
      }),
      output: writeResult(connectionOwner),
      errors: ['company_dissolved', 'connection_owned'],
      example: { key_id: sampleId('key') },
    }),
    disconnect: defineOperation({
      summary: 'Disconnect a bank connection permanently',
      description:
        'The token is deleted. The rows stay, no longer count as cash on hand, and new rows for the connection are rejected with 409 `connection_disconnected`. Emits `bank.connection.disconnected`. Connections of a dissolved company can be disconnected too. A repeat changes nothing.',
      http: {
        method: 'POST',
        path: '/bank/connections/{connection_id}/disconnect',
        aliases: [{ method: 'DELETE', path: '/bank/connections/{connection_id}', success: 204 }],
      },
      permission: 'connections:write',
      input: z.object({
        connection_id: idParameter,
        reason: optional(text(1, 500)).describe('Reason of the disconnection, kept in its event.'),
      }),
      output: connectionResult,
      emits: ['bank.connection.disconnected'],
      example: { reason: 'The account was closed' },
    }),
  },
  syncs: {
    list: defineOperation({
      summary: 'List the sync runs of a bank connection, newest first',
      description: 'A connection has at most one run with the status `running`.',
      http: { method: 'GET', path: '/bank/connections/{connection_id}/syncs' },
      input: z.object({
        connection_id: idParameter,
        ...pageParameters,
        ...timeFilters,
        status: syncStatus.optional().describe('Only runs with this status.'),
      }),
      output: listOf(syncRun),
    }),
    get: defineOperation({
      summary: 'Read a sync run',
      description: 'While the run has the status `running`, `stats` shows its progress.',
      http: { method: 'GET', path: '/bank/syncs/{sync_id}' },
      input: z.object({ sync_id: idParameter }),
      output: syncRun,
    }),
  },
};
