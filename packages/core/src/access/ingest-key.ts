import type { FieldError } from '@finhook/contracts';
import { type Queryable, statement } from '../db/queryable.ts';
import type { Context } from '../verbs/context.ts';
import { DomainError } from '../verbs/domain-error.ts';

interface SentRow {
  /** Absent for a snapshot, which has no connection. */
  connection_id?: string | null | undefined;
  source: string;
}

/** Errors of a row outside the limits of the caller's ingest key. */
export function narrowingErrors({ access: { ingest } }: Context, row: SentRow, pointer = ''): FieldError[] {
  const code = 'authority_exceeded';
  const errors: FieldError[] = [];
  if (
    ingest?.connectionIds &&
    row.connection_id !== undefined &&
    !ingest.connectionIds.includes(row.connection_id ?? '')
  )
    errors.push({ pointer: `${pointer}/connection_id`, code, message: "must be one of the key's connection_ids" });
  if (ingest?.sources && !ingest.sources.includes(row.source))
    errors.push({ pointer: `${pointer}/source`, code, message: "must be one of the key's sources" });
  return errors;
}

/** A key may not read or update rows stored with a source outside its `sources`. */
export function storedSourceError(index: number, pointer: string): FieldError & { index: number } {
  const message = "is stored with a source that is not one of the key's sources";
  return { index, pointer: `${pointer}/source`, code: 'authority_exceeded', message };
}

/**
 * SQL: true for an active key `k` that lists `connection_ids`, which reserves them, and is no rotation of `origin`. The
 * parameters are SQL expressions.
 */
export const reservingKeySql = (origin: string, now: string, account = '$1'): string =>
  `k.account_id = ${account} AND k.connection_ids IS NOT NULL AND coalesce(k.origin_id, k.id) <> ${origin}
     AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now}::timestamptz)
     AND (k.overlap_until IS NULL OR k.overlap_until > ${now}::timestamptz)`;

/** The message names no id of the other key, because ingest keys read nothing of other keys. */
export function connectionOwned(what: string, owner: 'human' | 'ingest', remedy: string): DomainError {
  return new DomainError('connection_owned', {
    detail: `${what} belongs to ${owner === 'ingest' ? 'another' : 'a'} key with scope ${owner}; a key with scope ingest posts only what is its own. ${remedy}`,
    extra: { owner_scope: owner },
  });
}

const readOwners = statement(
  'read_series_owners',
  `SELECT s.connection_id, o.key_id, coalesce(
     (SELECT true FROM cash_balance b WHERE b.company_id = $2 AND b.connection_id = s.connection_id LIMIT 1),
     (SELECT true FROM bank_transaction t WHERE t.company_id = $2 AND t.connection_id = s.connection_id LIMIT 1),
     false) AS has_rows,
     $4::text IS NOT NULL AND EXISTS (
       SELECT FROM api_key k WHERE ${reservingKeySql('$4', '$5')} AND s.connection_id = ANY (k.connection_ids)
         AND (k.company_ids IS NULL OR $2 = ANY (k.company_ids))) AS is_reserved
   FROM unnest($3::text[]) AS s (connection_id)
   LEFT JOIN series_owner o ON o.account_id = $1 AND o.company_id = $2 AND o.connection_id = s.connection_id`,
);

const claim = statement(
  'claim_series',
  `INSERT INTO series_owner (account_id, company_id, connection_id, key_id)
   SELECT $1, $2, s.connection_id, $4 FROM unnest($3::text[]) AS s (connection_id) ORDER BY s.connection_id
   ON CONFLICT DO NOTHING RETURNING 1`,
);

interface SeriesRow {
  connection_id: string;
  key_id: string | null;
  has_rows: boolean;
  /** Always false for a key that lists its connections. */
  is_reserved: boolean;
}

/** Parameters of `readOwners` for reserved connections. */
function reserves({ access: { ingest }, clock }: Context): (string | null)[] {
  return [ingest?.connectionIds === undefined ? (ingest?.originId ?? null) : null, clock.now().toISOString()];
}

/**
 * Claims unowned connections of a company for the caller's ingest key ('' for rows without a connection). Does nothing
 * for other scopes. @throws `connection_owned` if another key owns or reserves one
 */
export async function claimSeries(
  tx: Queryable,
  context: Context,
  companyId: string,
  connectionIds: readonly string[],
): Promise<void> {
  const {
    accountId,
    access: { ingest },
  } = context;
  if (!ingest) return;
  const values = [accountId, companyId, [...new Set(connectionIds)]];
  const series = await tx.query<SeriesRow>(readOwners, [...values, ...reserves(context)]);
  for (const { connection_id, key_id, has_rows, is_reserved } of series) {
    const isFree = key_id === null ? !has_rows : key_id === ingest.originId;
    if (!isFree || is_reserved) {
      throw seriesOwned(connection_id, key_id === null && has_rows && !is_reserved ? 'human' : 'ingest');
    }
  }
  const free = series.filter(({ key_id }) => key_id === null).map(({ connection_id }) => connection_id);
  if (free.length === 0) return;
  const claimed = await tx.query(claim, [accountId, companyId, free, ingest.originId]);
  // A concurrent request claimed one, with this key or another.
  if (claimed.length < free.length) await claimSeries(tx, context, companyId, connectionIds);
}

function seriesOwned(connectionId: string, owner: 'human' | 'ingest'): DomainError {
  const what = connectionId === '' ? "The company's data without a connection_id" : `The connection_id ${connectionId}`;
  return connectionOwned(what, owner, 'Send a connection_id of your own.');
}
