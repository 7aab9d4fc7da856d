import { Migration } from '@mikro-orm/migrations';

/**
 * What an endpoint says about its deliveries. `headers`, `private_key` and `previous_secret` are encrypted;
 * `masked_headers` is what readers see; `filter_path` is `filter` as the database evaluates it. The document of an event
 * that jsonb cannot hold (a surrogate without its pair) is null, and every filter lets it through.
 */
const columns = `
ALTER TABLE webhook_endpoint
  ADD COLUMN headers text,
  ADD COLUMN masked_headers jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN timeout_ms int,
  ADD COLUMN retry_schedule jsonb,
  ADD COLUMN filter jsonb,
  ADD COLUMN filter_path jsonpath,
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN signature_versions text[] NOT NULL DEFAULT '{v1}',
  ADD COLUMN public_key text,
  ADD COLUMN private_key text,
  ADD COLUMN previous_secret text,
  ADD COLUMN previous_secret_until timestamptz(3),
  ADD COLUMN pinged_at timestamptz(3);
CREATE INDEX webhook_endpoint_overlap ON webhook_endpoint (previous_secret_until) WHERE previous_secret_until IS NOT NULL;
CREATE INDEX webhook_endpoint_slow ON webhook_endpoint (id) WHERE timeout_ms > 15000;
`;

// VOLATILE, so that no planner reads a body ahead of the first filter that asks for it.
const eventDocument = `
CREATE FUNCTION event_document(body text) RETURNS jsonb LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
BEGIN
  IF pg_input_is_valid(body, 'jsonb') THEN RETURN body::jsonb; END IF;
  RETURN NULL;
END $$;
`;

export class EndpointOptions extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql(eventDocument);
  }

  override down(): void {
    this.addSql('DROP FUNCTION event_document');
    this.addSql(`ALTER TABLE webhook_endpoint DROP COLUMN headers, DROP COLUMN masked_headers, DROP COLUMN timeout_ms,
      DROP COLUMN retry_schedule, DROP COLUMN filter, DROP COLUMN filter_path, DROP COLUMN metadata,
      DROP COLUMN signature_versions, DROP COLUMN public_key, DROP COLUMN private_key, DROP COLUMN previous_secret,
      DROP COLUMN previous_secret_until, DROP COLUMN pinged_at`);
  }
}
