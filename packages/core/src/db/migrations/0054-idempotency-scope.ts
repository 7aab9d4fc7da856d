import { Migration } from '@mikro-orm/migrations';

/**
 * An Idempotency-Key belongs to the API key that sent it and its rotations: to the first key of the chain, the scope.
 * Processes of 0.2.0 have one row per account and Idempotency-Key, and find a row by both. So the first scope that sends an
 * Idempotency-Key takes this row, which both versions find; any other has a row named by scope and Idempotency-Key, with a
 * space between, which no Idempotency-Key contains. The scope of a row is the first word of its token, because 0.2.0
 * replaces the token when it takes a row over. A row of 0.2.0 has no scope and counts for each one.
 *
 * `fingerprints` are those that mean the same request; the first is stored. Returns the row's key, and unless the caller
 * has claimed it, whether it is of the same request, and its outcome.
 */
const claim = `
CREATE FUNCTION claim_idempotency_key(account text, given text, scope text, fingerprints bytea[], new_token text,
  lease interval, ttl interval, OUT row_key text, OUT is_claimed boolean, OUT is_same boolean, OUT stored_outcome text)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  scoped text := scope || ' ' || given;
  stored_token text;
BEGIN
  -- Two requests of one scope must not take a row each while the row of another scope ends.
  PERFORM pg_advisory_xact_lock(hashtextextended(account || ' ' || scoped, 0));
  row_key := CASE WHEN EXISTS (SELECT FROM idempotency_key k WHERE k.account_id = account AND k.key = scoped)
    THEN scoped ELSE given END;
  LOOP
    INSERT INTO idempotency_key AS k (account_id, key, fingerprint, token, locked_until, created_at)
    VALUES (account, row_key, fingerprints[1], scope || ' ' || new_token, now() + lease, now())
    ON CONFLICT (account_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, token = excluded.token, locked_until = excluded.locked_until,
          outcome = NULL, created_at = now()
      WHERE (strpos(k.token, ' ') = 0 OR starts_with(k.token, scope || ' '))
        AND (k.created_at < now() - ttl
          OR (k.outcome IS NULL AND k.locked_until < now() AND k.fingerprint = ANY (fingerprints)));
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
    this.addSql(claim);
  }
}
