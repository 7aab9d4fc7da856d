import { Migration } from '@mikro-orm/migrations';

/**
 * An Idempotency-Key belongs to a scope: the first key of a chain of API key rotations. Processes of 0.2.0 have one row
 * per account and key. So the first scope to send a key takes that row, and other scopes get rows named by scope, a
 * space, and the key. The scope of a row is the first word of its token, because 0.2.0 replaces the token when it takes
 * over; its own rows have no scope and match each. `holder` is the token, the server's start and the session's process
 * id: the key is free once that session ends. After 0.2.0 replaced the token, the lease decides. `fingerprints` all
 * mean the same request; the first is stored. Returns the row's key and, unless it was claimed, whether the request is
 * the same, and its outcome.
 */
const claim = `
CREATE FUNCTION claim_idempotency_key(account text, given text, scope text, fingerprints bytea[],
  new_token text, lease interval, ttl interval, OUT row_key text, OUT is_claimed boolean, OUT is_same boolean,
  OUT stored_outcome text)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  scoped text := scope || ' ' || given;
  server text := extract(epoch FROM pg_postmaster_start_time())::text;
  own_token text := scope || ' ' || new_token;
  stored_token text;
BEGIN
  -- Two requests of one scope must not take a row each while the row of another scope ends.
  PERFORM pg_advisory_xact_lock(hashtextextended(account || ' ' || scoped, 0));
  row_key := CASE WHEN EXISTS (SELECT FROM idempotency_key k WHERE k.account_id = account AND k.key = scoped)
    THEN scoped ELSE given END;
  LOOP
    -- The list of sessions is otherwise read once per transaction.
    PERFORM pg_stat_clear_snapshot();
    INSERT INTO idempotency_key AS k (account_id, key, fingerprint, token, locked_until, created_at, holder)
    VALUES (account, row_key, fingerprints[1], own_token, now() + lease, now(),
      concat_ws(' ', own_token, server, pg_backend_pid()))
    ON CONFLICT (account_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, token = excluded.token, locked_until = excluded.locked_until,
          outcome = NULL, created_at = now(), holder = excluded.holder
      WHERE (strpos(k.token, ' ') = 0 OR starts_with(k.token, scope || ' '))
        AND (k.created_at < now() - ttl
          OR (k.outcome IS NULL AND k.fingerprint = ANY (fingerprints)
            AND (k.locked_until < now()
              OR (starts_with(k.holder, k.token || ' ') AND NOT EXISTS (
                SELECT FROM pg_stat_activity a WHERE k.holder = concat_ws(' ', k.token, server, a.pid))))));
    is_claimed := FOUND;
    IF is_claimed THEN RETURN; END IF;
    SELECT k.token, k.fingerprint = ANY (fingerprints), k.outcome INTO stored_token, is_same, stored_outcome
    FROM idempotency_key k WHERE k.account_id = account AND k.key = row_key;
    -- Without a row, the other request has released it.
    IF FOUND THEN
      IF strpos(stored_token, ' ') = 0 OR starts_with(stored_token, scope || ' ') THEN RETURN; END IF;
      row_key := scoped;
    END IF;
  END LOOP;
END $$`;

export class IdempotencyScope extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE idempotency_key ADD COLUMN holder text COLLATE "C"');
    this.addSql(claim);
  }
}
