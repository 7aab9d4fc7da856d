import type { Core } from '../../verbs/context.ts';
import { tokenAad } from '../bank/connections/connection.ts';
import { headersAad, privateKeyAad, secretAad } from '../webhooks/webhook-endpoint.entity.ts';

const BATCH = 500;

/** Columns with ciphertexts, and their additional authenticated data. */
const columns = [
  { table: 'webhook_endpoint', column: 'secret', aad: secretAad },
  { table: 'webhook_endpoint', column: 'previous_secret', aad: secretAad },
  { table: 'webhook_endpoint', column: 'headers', aad: headersAad },
  { table: 'webhook_endpoint', column: 'private_key', aad: privateKeyAad },
  { table: 'bank_connection', column: 'secret', aad: tokenAad },
] as const;
type Column = (typeof columns)[number];

export interface RewrapReport {
  rewrapped: number;
  unreadable: number;
}

/** Re-encrypts secrets of older master keys with the first one, so that the older keys can be removed. */
export async function rewrapSecrets(core: Core): Promise<RewrapReport> {
  const report: RewrapReport = { rewrapped: 0, unreadable: 0 };
  for (const column of columns) await rewrapColumn(core, column, report);
  return report;
}

async function rewrapColumn(core: Core, { table, column, aad }: Column, report: RewrapReport): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await core.database.query<{ id: string; sealed: string }>(
      `SELECT id, ${column} AS sealed FROM ${table}
       WHERE id > $1 AND ${column} IS NOT NULL AND NOT starts_with(${column}, $2) ORDER BY id LIMIT ${BATCH}`,
      [after, core.secrets.currentPrefix],
    );
    const renewed = rows.flatMap(({ id, sealed }) => {
      const plain = core.secrets.isReadable(sealed) ? core.secrets.decrypt(sealed, aad(id)) : undefined;
      return plain === undefined ? [] : [{ id, sealed, next: core.secrets.encrypt(plain, aad(id)) }];
    });
    // Skips secrets that have changed meanwhile, and rows that are locked, such as by a move, until the next run.
    const updated = await core.database.query(
      `WITH free AS (SELECT id FROM ${table} WHERE id = ANY ($1) FOR UPDATE SKIP LOCKED)
       UPDATE ${table} t SET ${column} = u.next
       FROM free JOIN unnest($1::text[], $2::text[], $3::text[]) AS u (id, sealed, next) USING (id)
       WHERE t.id = u.id AND t.${column} = u.sealed RETURNING t.id`,
      [renewed.map(({ id }) => id), renewed.map(({ sealed }) => sealed), renewed.map(({ next }) => next)],
    );
    report.rewrapped += updated.length;
    report.unreadable += rows.length - renewed.length;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? after;
  }
}
