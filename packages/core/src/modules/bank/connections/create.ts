import { type FieldError, normalizeCurrency, type operations } from '@finhook/contracts';
import { assertQuota, quotaLock } from '../../../access/quota.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { emit } from '../../../outbox/emit.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { rejectWithFields } from '../../../verbs/domain-error.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { type ConnectionRow, connectionColumns, toConnection } from './connection.ts';
import { providers } from './providers/index.ts';

type Op = typeof operations.bank.connections.create;

const insert = statement(
  'insert_connection',
  `INSERT INTO bank_connection AS k (id, account_id, company_id, provider, institution_name, account_name, account_last4,
     currency, external_ref, config_url, replaces, status, connected_at, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'pending', $12, $12, $12) RETURNING ${connectionColumns('$12')}`,
);

const readReplaced = statement(
  'read_replaced_connection',
  `SELECT id FROM bank_connection WHERE id = $1 AND company_id = $2 AND status = 'disconnected'`,
);

export const createConnection: Verb<Op> = async (context, input) => {
  const url = await checkConfig(context, input);
  return transaction(context, { records: 'audit and event', lock: quotaLock('connections', context) }, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    await checkReplaced(tx, company.id, input.replaces);
    await assertQuota(tx, context, 'connections');
    const [row] = await tx.query<ConnectionRow>(insert, [
      context.newId('conn'),
      context.accountId,
      company.id,
      input.provider,
      input.institution_name ?? null,
      input.account_name ?? null,
      input.account_last4 ?? null,
      input.currency == null ? null : (normalizeCurrency(input.currency) ?? null),
      input.external_ref ?? null,
      url,
      input.replaces ?? null,
      context.clock.now().toISOString(),
    ]);
    if (!row) throw new Error('The connection was not stored.');
    const after = toConnection(row);
    // The catalogue has two events for this; `linked` comes second in the feed.
    const event = { type: 'bank.connected', data: after } as const;
    recordChange(tx, context, { action: 'bank.connections.create', after, event });
    emit(tx, context, { type: 'bank.connection.linked', companyId: company.id, data: after });
    return after;
  });
};

async function checkConfig(context: Context, { provider, config }: InputOf<Op>): Promise<string | null> {
  const takesUrl = providers.get(provider)?.takesUrl ?? false;
  if (!takesUrl) {
    if (config != null) rejectWithFields([configError('not_applicable', 'is for the provider http only')]);
    return null;
  }
  if (config == null) rejectWithFields([configError('required', 'is required: the provider http is pulled from it')]);
  const check = await context.outgoing.checkUrl(config.url);
  if (!check.ok) rejectWithFields([configError(check.code, check.reason)]);
  if (check.url.includes('?')) {
    rejectWithFields([
      configError('url_not_allowed', 'must not have a query: each pull adds its own, and a token is a secret'),
    ]);
  }
  return check.url;
}

function configError(code: FieldError['code'], message: string): FieldError {
  return { pointer: '/config/url', code, message };
}

async function checkReplaced(db: Queryable, companyId: string, replaces: string | null | undefined): Promise<void> {
  if (replaces == null) return;
  const found = await db.query(readReplaced, [replaces, companyId]);
  if (found.length > 0) return;
  const message = 'must be a disconnected bank connection of this company';
  rejectWithFields([{ pointer: '/replaces', code: 'connection_not_found', message }]);
}
