import { z } from 'zod';
import { currency, date, id, optional, secret, text, timestamp } from '../scalars.ts';
import { actor } from './api-key.ts';

/** Length of a token from which its last four characters are shown: of a shorter one they would tell too much. */
export const MIN_SECRET_FOR_LAST4 = 12;

export const connectionStatus = z.enum(['pending', 'active', 'error', 'disconnected']);
export type ConnectionStatus = z.output<typeof connectionStatus>;

/** How a finished sync run went: `partial` kept what it stored before the fault, `failed` stored nothing. */
export const syncOutcome = z.enum(['succeeded', 'partial', 'failed']);
export type SyncOutcome = z.output<typeof syncOutcome>;

/** Why a sync run did not succeed. Codes may be added; the sentence may change. */
export const syncError = z.object({ code: z.string(), message: z.string() });
export type SyncError = z.output<typeof syncError>;

/** A connection to a bank provider. Its token is write-only: nothing but its last four characters is ever told. */
export const bankConnection = z
  .object({
    id: id('conn'),
    object: z.literal('bank_connection'),
    account_id: id('acct'),
    company_id: id('co'),
    provider: z.string().meta({
      description: '`sandbox` and `http` are pulled by the service; any other label pushes by itself',
    }),
    institution_name: z.string().nullable(),
    account_name: z.string().nullable(),
    account_last4: z.string().nullable(),
    currency: currency.nullable().meta({ description: 'Taken for rows of this connection that name no currency' }),
    external_ref: z.string().nullable(),
    config: z.object({ url: z.string() }).nullable().meta({ description: 'Where the provider `http` is pulled from' }),
    replaces: id('conn').nullable(),
    status: connectionStatus,
    has_secret: z.boolean(),
    secret_last4: z.string().nullable(),
    secret_configured_at: timestamp.nullable(),
    last_synced_at: timestamp.nullable().meta({ description: 'When the last sync ended, however it went' }),
    last_sync_status: syncOutcome.nullable(),
    error: syncError.nullable(),
    freshness: z
      .object({
        balance: timestamp.nullable(),
        transactions: timestamp.nullable(),
        statements: timestamp.nullable(),
      })
      .meta({ description: 'When data of each kind last arrived; of transactions to the minute' }),
    backfill_status: z.enum(['none', 'running', 'complete']),
    history_from: date.nullable().meta({ description: 'First day from which all transactions are known' }),
    connected_at: timestamp,
    disconnected_at: timestamp.nullable(),
    disconnected_by: actor.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'BankConnection' });
export type BankConnection = z.output<typeof bankConnection>;

/** A provider's token as it is handed over; printable ASCII, because it travels in a header. */
export const connectionSecret = secret(
  z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces'),
);

/** What the owner tells of a connection when it is made. */
export const connectionFields = {
  institution_name: optional(text(1, 200)),
  account_name: optional(text(1, 200)),
  account_last4: optional(z.string().regex(/^\d{4}$/, 'must be four digits')),
  external_ref: optional(text(1, 255)),
};
