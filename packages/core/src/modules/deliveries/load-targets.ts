import type { Core } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';
import { secretPlace } from '../webhooks/index.ts';

/** What the worker needs to know of an endpoint to deliver to it. */
export interface Target {
  endpointId: string;
  accountId: string;
  url: string;
  /** Decrypts; throws when it cannot, so that one damaged row stops one endpoint and not its batch. */
  secret: () => string;
  /** Whether a run of failures is open, so that a success must end it. */
  failing: boolean;
  lastSuccessAt: Date | null;
}

interface TargetRow {
  id: string;
  account_id: string;
  url: string;
  secret: string;
  consecutive_failures: number;
  last_success_at: string | null;
}

const load = statement(
  'load_targets',
  `SELECT id, account_id, url, secret, consecutive_failures, last_success_at FROM webhook_endpoint
   WHERE id = ANY ($1::text[]) AND status = 'active' AND deleted_at IS NULL AND secret IS NOT NULL`,
);

/** The endpoints among `ids` that may be delivered to now. */
export async function loadTargets(core: Core, ids: readonly string[]): Promise<Target[]> {
  const rows = await core.database.query<TargetRow>(load, [ids]);
  return rows.map((row) => ({
    endpointId: row.id,
    accountId: row.account_id,
    url: row.url,
    secret: () => core.secrets.decrypt(row.secret, secretPlace(row.id)),
    failing: row.consecutive_failures > 0,
    lastSuccessAt: row.last_success_at === null ? null : new Date(row.last_success_at),
  }));
}
