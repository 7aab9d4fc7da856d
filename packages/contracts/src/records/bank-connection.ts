import { z } from 'zod';
import {
  currency,
  date,
  id,
  identity,
  objectType,
  optional,
  secret,
  text,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';
import { actor } from './api-key.ts';

/** Four characters would reveal too much of a shorter token. */
export const MIN_SECRET_FOR_LAST4 = 12;

export const connectionStatus = z.enum(['pending', 'active', 'error', 'disconnected']);

const syncOutcome = z.enum(['succeeded', 'partial', 'failed']);
export type SyncOutcome = z.output<typeof syncOutcome>;

const syncError = z.object({
  code: z.string().describe('Stable error code. New codes may be added.'),
  message: z.string().describe('Explanation for people; the wording may change.'),
});
export type SyncError = z.output<typeof syncError>;

export const connectionOwner = z
  .object({
    object: objectType('connection_owner'),
    company_id: id('co'),
    connection_id: z
      .string()
      .nullable()
      .describe('The `connection_id` of balances and transactions; null for those without one.'),
    key_id: id('key')
      .nullable()
      .describe(
        'ID of the key of scope `ingest` that owns the data, the first of its rotations (`key_…`); null if no ingest key does: the data is that of human keys and of syncs, or of the first ingest key to post.',
      ),
  })
  .meta({ id: 'ConnectionOwner', description: 'The ingest key that may post the data of one `connection_id`.' });
export type ConnectionOwner = z.output<typeof connectionOwner>;

export const bankConnection = z
  .object({
    ...identity('conn', 'bank_connection'),
    company_id: id('co'),
    provider: z
      .string()
      .describe(
        '`sandbox` and `http` are pulled by the service; any other label stands for a provider that pushes its data.',
      ),
    institution_name: z.string().nullable().describe('Name of the bank; null if not given.'),
    account_name: z.string().nullable().describe('Name of the bank account; null if not given.'),
    account_last4: z.string().nullable().describe('Last four digits of the account number; null if not given.'),
    currency: currency
      .nullable()
      .describe('ISO 4217 currency code assumed for rows of this connection that name none; null if not given.'),
    external_ref: z.string().nullable().describe('Your own reference to the connection; null if not given.'),
    config: z
      .object({ url: z.string().describe('URL that the `http` provider is pulled from.') })
      .nullable()
      .describe('Settings of a pulled connection; null for providers without any.'),
    replaces: id('conn')
      .nullable()
      .describe('ID of the disconnected connection that this one continues (`conn_…`); null if it replaces none.'),
    status: connectionStatus.describe(
      '`pending` until the first token or the first row, then `active`; `error` after a failed sync; `disconnected` permanently.',
    ),
    has_secret: z.boolean().describe('True if an API token is stored for the provider.'),
    secret_last4: z
      .string()
      .nullable()
      .describe('Last four characters of the token; null without a token or for tokens shorter than 12 characters.'),
    secret_configured_at: timestamp.nullable().describe('When the token was last stored (UTC); null without one.'),
    last_synced_at: timestamp
      .nullable()
      .describe('When the last sync ended (UTC), whatever its outcome; null before the first.'),
    last_sync_status: syncOutcome
      .nullable()
      .describe('Outcome of the last sync: `partial` stored some of the data, `failed` none; null before the first.'),
    error: syncError.nullable().describe('Why the last sync did not succeed; null if it did.'),
    freshness: z
      .object({
        balance: timestamp.nullable().describe('When a cash balance last arrived (UTC); null if none ever did.'),
        transactions: timestamp
          .nullable()
          .describe('When transactions last arrived (UTC, to the minute); null if none ever did.'),
        statements: timestamp
          .nullable()
          .describe('When a financial statement last arrived (UTC); null if none ever did.'),
      })
      .describe('When data of each kind last arrived.'),
    backfill_status: z
      .enum(['none', 'running', 'complete'])
      .describe('Whether the history was imported: `none`, `running` or `complete`.'),
    history_from: date
      .nullable()
      .describe('First day from which all transactions are known; null until the backfill is complete.'),
    connected_at: timestamp.describe('When the connection was created (UTC).'),
    disconnected_at: timestamp.nullable().describe('When the connection was disconnected (UTC); null while connected.'),
    disconnected_by: actor.nullable().describe('Who disconnected it; null while connected.'),
    ...timestamps,
  })
  .meta({
    id: 'BankConnection',
    description: "A company's connection to a bank provider. The provider's token is write-only.",
  });
export type BankConnection = z.output<typeof bankConnection>;

export const connectionFields = withDescriptionsOf(bankConnection, {
  institution_name: optional(text(1, 200)),
  account_name: optional(text(1, 200)),
  account_last4: optional(z.string().regex(/^\d{4}$/, 'must be four digits')),
  external_ref: optional(text(1, 255)),
});

/** Visible ASCII, because it is sent in a header. */
export const connectionSecret = secret(
  z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces'),
);

export const syncStatus = z.enum(['running', 'succeeded', 'partial', 'failed']);

const syncStats = z.object({
  balances_upserted: z.int().describe('Balances stored or updated.'),
  transactions_received: z.int().describe('Transactions that the provider returned.'),
  transactions_inserted: z.int().describe('Transactions stored.'),
  transactions_skipped: z.int().describe('Transactions that were known already.'),
  snapshots_upserted: z.int().describe('Statement snapshots stored or replaced.'),
});
export type SyncStats = z.output<typeof syncStats>;

export const syncRun = z
  .object({
    ...identity('syn', 'sync_run'),
    company_id: id('co'),
    connection_id: id('conn')
      .nullable()
      .describe('ID of the bank connection that is synced (`conn_…`); null if it no longer exists.'),
    provider: z.string().describe('Provider that is pulled.'),
    trigger: z.literal('manual').describe('What started the run.'),
    status: syncStatus.describe(
      '`running`, `succeeded`, `partial` if only some of the data was stored, or `failed` if none was.',
    ),
    started_at: timestamp.describe('When the run began (UTC).'),
    finished_at: timestamp.nullable().describe('When the run ended (UTC); null while running.'),
    duration_ms: z.int().nullable().describe('How long the run took, in milliseconds; null while running.'),
    stats: syncStats.describe('What the run stored so far.'),
    error: syncError.nullable().describe('Why the run did not succeed; null if it did.'),
    ...timestamps,
  })
  .meta({ id: 'SyncRun', description: "One pull of a provider's balances and transactions." });
export type SyncRun = z.output<typeof syncRun>;
