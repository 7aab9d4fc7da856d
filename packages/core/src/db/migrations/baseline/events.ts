/**
 * `event`, `delivery`, `attempt` and `audit_log` grow without limit and are partitioned by their time-ordered ids.
 *
 * An event's `body` is the JSON text whose UTF-8 bytes are sent. `traceparent` is the trace that its deliveries
 * continue; its default reads the setting that binds a request to its account, so statements that store events name
 * neither. An `internal` event is sent only to endpoints with `include_internal`.
 *
 * `event_document`: a body as jsonb, or null if jsonb cannot store it (a lone surrogate), which every filter accepts.
 * VOLATILE, so that no planner reads a body before the first filter needs it.
 */
export const events = `
CREATE TABLE event (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C",
  type text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  feed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  test boolean NOT NULL DEFAULT false,
  body text NOT NULL,
  internal boolean NOT NULL DEFAULT false,
  traceparent text DEFAULT nullif(current_setting('finhook.traceparent', true), '')
) PARTITION BY RANGE (id);
CREATE INDEX event_feed ON event (account_id, feed_xid, id);
CREATE INDEX event_ingest ON event (company_id, feed_xid) WHERE type = 'bank.transaction.posted' AND NOT test;
CREATE TABLE event_default PARTITION OF event DEFAULT;

CREATE FUNCTION event_document(body text) RETURNS jsonb LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
BEGIN
  IF pg_input_is_valid(body, 'jsonb') THEN RETURN body::jsonb; END IF;
  RETURN NULL;
END $$;
`;
