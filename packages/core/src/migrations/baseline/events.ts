/**
 * `event`, `delivery`, `attempt` and `audit_log` grow without end and are partitioned by their time-ordered ids.
 *
 * An event's `body` is the JSON text whose UTF-8 bytes are sent. `traceparent` is the trace that it goes on with, for its
 * deliveries; the default takes it from the setting that binds a request to its account, so statements that store events
 * name neither. An event that is `internal` is sent to endpoints with `include_internal` only.
 *
 * `event_document`: a body as jsonb, null where jsonb cannot hold it (a surrogate without its pair), and then every filter
 * lets it through. VOLATILE, so that no planner reads a body ahead of the first filter that asks for it.
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
