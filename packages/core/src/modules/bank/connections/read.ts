import type { operations } from '@finhook/contracts';
import type { Context } from '../../../kernel/context.ts';
import { byId } from '../../../kernel/keyset.ts';
import { type InputOf, listVerb, type OutputOf } from '../../../kernel/verb.ts';
import { findCompany } from '../../companies/get.ts';
import { type ConnectionRow, connectionColumns, toConnection } from './connection-record.ts';
import { findConnection } from './find-connection.ts';

type GetOp = typeof operations.bank.connections.get;

export async function getConnection(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  return toConnection(await findConnection(context.database, context, input.connection_id));
}

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
