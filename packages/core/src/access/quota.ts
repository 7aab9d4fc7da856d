import { type Queryable, statement } from '../db/queryable.ts';
import type { Context } from '../verbs/context.ts';
import { DomainError } from '../verbs/domain-error.ts';

interface Quota {
  /** The default, unless the operator set a quota for the account. */
  limit: number;
  name: string;
  remedy: string;
  /** SQL: true for rows that count; `$2` is now. */
  counted: string;
  table: string;
}

type Resource = 'api_keys' | 'companies' | 'agents' | 'connections' | 'webhook_endpoints';

const quotas: Readonly<Record<Resource, Quota>> = {
  api_keys: {
    limit: 100,
    name: 'active API keys',
    remedy: 'Revoke one that is not used',
    counted: '(expires_at IS NULL OR expires_at > $2) AND revoked_at IS NULL',
    table: 'api_key',
  },
  companies: {
    limit: 1_000,
    name: 'companies that are not dissolved',
    remedy: 'Dissolve one that is not needed',
    counted: "status <> 'dissolved'",
    table: 'company',
  },
  agents: {
    limit: 500,
    name: 'agents',
    remedy: 'An agent that was detached still counts: attach it again instead of creating another one',
    counted: 'true',
    table: 'agent',
  },
  connections: {
    limit: 1_000,
    name: 'bank connections',
    remedy: 'Disconnect one that is not used',
    counted: "status <> 'disconnected'",
    table: 'bank_connection',
  },
  webhook_endpoints: {
    limit: 50,
    name: 'webhook endpoints',
    remedy: 'Delete one that is not used',
    counted: 'deleted_at IS NULL',
    table: 'webhook_endpoint',
  },
};

const SESSIONS_PER_KEY = 50;

/** Creating a resource takes this lock, so that concurrent requests cannot exceed the quota. */
export const quotaLock = (resource: Resource, { accountId }: Pick<Context, 'accountId'>): string =>
  `quota|${resource}|${accountId}`;

async function readQuota(
  db: Queryable,
  { accountId }: Pick<Context, 'accountId'>,
  resource: Resource | 'sessions',
  fallback: number,
): Promise<number> {
  const [row] = await db.query<{ quota: number | null }>(findQuota, [accountId, resource]);
  return row?.quota ?? fallback;
}
const findQuota = statement('find_quota', 'SELECT (quotas ->> $2)::int AS quota FROM account WHERE id = $1');

/** Open sessions per key. Another sign-in ends the least recently used one. */
export function readSessionQuota(db: Queryable, context: Pick<Context, 'accountId'>): Promise<number> {
  return readQuota(db, context, 'sessions', SESSIONS_PER_KEY);
}

const counts = new Map(
  Object.entries(quotas).map(([resource, { table, counted }]) => [
    resource,
    statement(
      `count_${resource}`,
      `SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1 AND $2::timestamptz IS NOT NULL AND ${counted}`,
    ),
  ]),
);

/** @throws `limit_reached` when the quota is used up. The caller holds `quotaLock`. */
export async function assertQuota(
  db: Queryable,
  context: Context,
  resource: Resource,
  remedy = quotas[resource].remedy,
): Promise<void> {
  const { limit: fallback, name } = quotas[resource];
  const limit = await readQuota(db, context, resource, fallback);
  const now = context.clock.now().toISOString();
  const [row] = await db.query<{ count: number }>(counts.get(resource) ?? '', [context.accountId, now]);
  if ((row?.count ?? 0) < limit) return;
  throw new DomainError('limit_reached', {
    detail: `This account may have ${limit} ${name}. ${remedy}, or ask the operator of the service for a higher limit.`,
    extra: { resource, limit },
  });
}
