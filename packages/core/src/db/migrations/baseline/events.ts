/**
 * These tables grow without limit, so they are partitioned by their time-ordered ids. `event.body` is the JSON text
 * that is sent. The default of `traceparent` reads the setting that binds a request to its account. `event_document` is
 * a body as jsonb, or null if jsonb cannot store it (a lone surrogate), which filters accept; it is VOLATILE, so that
 * no plan parses a body before a filter needs it.
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
