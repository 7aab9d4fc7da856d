import { type BankConnection, bankConnection, type operations } from '@finhook/contracts';
import { assertAccessible } from '../../../access/access.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { byId } from '../../../lists/keyset.ts';
import { toNullableTimestamp } from '../../../time/clock.ts';
import type { Context } from '../../../verbs/context.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { defineStates } from '../../../verbs/state-machine.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { findCompany } from '../../companies/read.ts';
import { providers } from './providers/index.ts';

export interface ConnectionRow extends RowOf<typeof bankConnection, never, 'config' | 'has_secret' | 'freshness'> {
  config_url: string | null;
  /** Encrypted. */
  secret: string | null;
  transactions_at: string | null;
  balance_at: string | null;
}

/** A balance dated after the company's tomorrow doesn't count. IS TRUE keeps the day out of the choice of index. */
export const connectionColumns = (now: string): string => `k.*, (
  SELECT b.updated_at FROM cash_balance b WHERE b.company_id = k.company_id AND b.connection_id = k.id
    AND (b.as_of <= (
      SELECT (${now}::timestamptz AT TIME ZONE c.timezone)::date + 1 FROM company c WHERE c.id = k.company_id
    )) IS TRUE
  ORDER BY b.as_of DESC LIMIT 1
) AS balance_at`;

export function toConnection(row: ConnectionRow): BankConnection {
  return record(bankConnection, row, {
    config: row.config_url === null ? null : { url: row.config_url },
    has_secret: row.secret !== null,
    freshness: {
      balance: toNullableTimestamp(row.balance_at),
      transactions: toNullableTimestamp(row.transactions_at),
      statements: null,
    },
  });
}

export function tokenAad(connectionId: string): string {
  return `bank_connection|${connectionId}`;
}

/** The first token or row activates a connection; a failed sync sets it to error. */
export const connectionStates = defineStates('bank connection', {
  pending: ['active', 'disconnected'],
  active: ['error', 'disconnected'],
  error: ['active', 'disconnected'],
  disconnected: [],
});

const readOne = statement(
  'read_connection',
  `SELECT ${connectionColumns('$3')} FROM bank_connection k WHERE k.id = $1 AND k.account_id = $2`,
);
const readLocked = statement(
  'read_connection_locked',
  `SELECT ${connectionColumns('$3')} FROM bank_connection k WHERE k.id = $1 AND k.account_id = $2 FOR UPDATE OF k`,
);

async function readConnection(db: Queryable, context: Context, id: string, sql: string): Promise<ConnectionRow> {
  const [row] = await db.query<ConnectionRow>(sql, [id, context.accountId, context.clock.now().toISOString()]);
  return assertAccessible(context, row, 'bank connection');
}

export function findConnection(db: Queryable, context: Context, id: string): Promise<ConnectionRow> {
  return readConnection(db, context, id, readOne);
}

/** Must be the first row lock, so that rows in flight come first in the feed. Emitting verbs also `lock` the id. */
export async function lockConnection(tx: Queryable, context: Context, connectionId: string): Promise<ConnectionRow> {
  const connection = await lockConnectionInAnyState(tx, context, connectionId);
  await lockCompany(tx, context, connection.company_id);
  return connection;
}

/** For a disconnect, which works for dissolved companies too. */
export function lockConnectionInAnyState(tx: Queryable, context: Context, id: string): Promise<ConnectionRow> {
  return readConnection(tx, context, id, readLocked);
}

export const getConnection: Verb<typeof operations.bank.connections.get> = async (context, input) =>
  toConnection(await findConnection(context.database, context, input.connection_id));

export const listConnections = listVerb<typeof operations.bank.connections.list, ConnectionRow, string>({
  table: (now) => `bank_connection k CROSS JOIN (SELECT ${now}::timestamptz AS now) clock`,
  prefix: 'conn',
  select: connectionColumns('clock.now'),
  sort: [byId('conn', 'k.id')],
  times: 'k.',
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 'k.company_id = ?');
    filters.whereEqual(input, ['status', 'provider', 'external_ref'], 'k.');
    return filters.bind(context.clock.now().toISOString());
  },
  map: toConnection,
});

const pullProviders = [...providers.keys()].map((name) => `'${name}'`).join(', ');

/** SQL: true if connection `k` syncs and part of its history may still be missing. */
export const backfillPendingSql = (k: string): string =>
  `(${k}.provider IN (${pullProviders}) AND ${k}.backfill_status <> 'complete')`;
