import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { type ConnectionRow, connectionColumns, toConnection } from './connection-record.ts';
import { findConnection } from './find-connection.ts';

type GetOp = typeof operations.bank.connections.get;
type ListOp = typeof operations.bank.connections.list;

/** Reads a connection; its token is never part of it. */
export async function getConnection(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return toConnection(await findConnection(context.database, context, input.connection_id));
}

/** Lists a company's connections, newest first, disconnected ones too. */
export async function listConnections(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const company = await findCompany(context, input.company_id);
  const filters = new Filters();
  const now = filters.bind(context.clock.now().toISOString());
  filters.where(company.id, 'k.company_id = ?');
  filters.where(input.status, 'k.status = ?');
  filters.where(input.provider, 'k.provider = ?');
  filters.where(input.external_ref, 'k.external_ref = ?');
  filters.whereTimes(input, 'k.');
  return readPage<ConnectionRow, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: connectionColumns('clock.now'),
    from: `bank_connection k CROSS JOIN (SELECT ${now}::timestamptz AS now) clock`,
    filters,
    sort: [byId('conn', 'k.id')],
    page: input,
    toItem: toConnection,
  });
}
