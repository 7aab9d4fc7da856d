import { Migration } from '@mikro-orm/migrations';

/**
 * `overlap_until` is set while a rotated key waits for its end: it stops at that moment, and the maintenance job then
 * tells of it once. `company_ids` and the like are null where a key is not narrowed.
 */
const keys = `
ALTER TABLE api_key
  ADD COLUMN company_ids text[] COLLATE "C",
  ADD COLUMN permissions text[],
  ADD COLUMN ip_allowlist text[],
  ADD COLUMN agent_id text COLLATE "C",
  ADD COLUMN rotated_to text COLLATE "C",
  ADD COLUMN overlap_until timestamptz(3);
CREATE INDEX api_key_overlap ON api_key (overlap_until) WHERE overlap_until IS NOT NULL;
`;

/**
 * A row of the audit log and the events of the same transaction have the same transaction id, under which the feed's
 * index finds them: no further column or index on `event`. Rows from before have none. Who acted stands in columns of
 * its own, because behind row security no index on an expression of JSON is used. Indexes lead with ids that are unique
 * over all accounts. The two actions that fill the log are left out of those that find what is rare.
 */
const activity = `
ALTER TABLE audit_log
  ADD COLUMN xid xid8,
  ADD COLUMN actor_id text COLLATE "C",
  ADD COLUMN actor_type text COLLATE "C";
UPDATE audit_log SET actor_id = actor ->> 'id', actor_type = actor ->> 'type';
ALTER TABLE audit_log ALTER COLUMN xid SET DEFAULT pg_current_xact_id();
CREATE INDEX audit_log_company ON audit_log (company_id, id) WHERE company_id IS NOT NULL;
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_resource ON audit_log (resource_id, id)
  WHERE action <> 'cash.balances.upsert' AND action <> 'bank.transactions.ingest';
CREATE INDEX audit_log_action ON audit_log (account_id, action, id)
  WHERE action <> 'cash.balances.upsert' AND action <> 'bank.transactions.ingest';
CREATE INDEX audit_log_rare ON audit_log (account_id, id)
  WHERE actor_type <> 'api_key' OR action <> 'cash.balances.upsert' AND action <> 'bank.transactions.ingest';
`;

export class Keys extends Migration {
  override up(): void {
    this.addSql(keys);
    this.addSql(activity);
  }

  override down(): void {
    this.addSql('DROP INDEX audit_log_company, audit_log_resource, audit_log_action, audit_log_rare');
    this.addSql('ALTER TABLE audit_log DROP COLUMN xid, DROP COLUMN actor_id, DROP COLUMN actor_type');
    this.addSql(`ALTER TABLE api_key DROP COLUMN company_ids, DROP COLUMN permissions, DROP COLUMN ip_allowlist,
      DROP COLUMN agent_id, DROP COLUMN rotated_to, DROP COLUMN overlap_until`);
  }
}
