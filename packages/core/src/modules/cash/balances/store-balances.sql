-- Stores balances of one account, each with its audit row, event and deliveries, and returns what became of each post.
-- `body` is null for a post that is not accepted, or if another transaction has changed the balance meanwhile. Posts are
-- sorted by company, connection and day.
CREATE TYPE store_balances AS (
  -- As sent. `connection_id` is '' for none.
  n int, id text, company_id text, connection_id text, as_of date, balance_cents bigint, currency text, source text,
  account_type text, event_id text, audit_id text, actor jsonb, request_id text, ip text, traceparent text,
  ingest_key text, lists_connections boolean,
  -- As read. `set_account_type` is that of the settings, `known_account_type` the one before this statement.
  company_status text, base_currency text, timezone text, today date, excluded text[], accounts jsonb,
  connection_status text, connection_currency text, series_currency text, set_account_type text, known_account_type text,
  version int, created_at timestamptz,
  -- `previous_balance_cents` has the currency of the post.
  is_owned boolean, is_accepted boolean, is_counted boolean, result text, previous_balance_cents bigint, body text,
  -- In the first row: the new deliveries of all.
  deliveries json
);

CREATE FUNCTION store_balances(given json, of_account text, moment timestamptz, may_activate boolean, lease_ms int)
RETURNS SETOF store_balances LANGUAGE plpgsql AS $$
DECLARE
  iso CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  posts store_balances[] := ARRAY(SELECT p FROM json_populate_recordset(NULL::store_balances, given) p);
  post store_balances;
  company record;
  seen record;
  names_types boolean := false;
  stored_ids text[];
  new_deliveries json;
BEGIN
  FOR i IN 1 .. cardinality(posts) LOOP
    post := posts[i];
    -- Key-share locks protect companies from dissolution and registered connections from their end. Both are read as
    -- they are once locked, and a company once, so that its settings are the same for all its posts.
    IF i = 1 OR post.company_id <> posts[i - 1].company_id THEN
      SELECT c.id, c.status, c.base_currency, c.timezone, (moment AT TIME ZONE c.timezone)::date AS today,
        s.excluded_connections AS excluded, s.accounts
      INTO company FROM company c LEFT JOIN surface_settings s ON s.company_id = c.id
      WHERE c.id = post.company_id AND c.account_id = of_account FOR KEY SHARE OF c;
    END IF;
    -- `stored` compares pairs, which only the index of the key can use: a plan that was made while the table was empty
    -- must not read all connections of the day later.
    SELECT company.status, company.base_currency, company.timezone, company.today, company.excluded, company.accounts,
      company.accounts ->> post.connection_id, {{account_type}}, coalesce(stored.id, post.id),
      coalesce(stored.version, 0), coalesce(stored.created_at, moment), CASE WHEN stored.id IS NULL THEN 'created'
        WHEN (stored.balance_cents, stored.currency, stored.source, stored.account_type)
          IS NOT DISTINCT FROM (post.balance_cents, post.currency, post.source, post.account_type) THEN 'unchanged'
        ELSE 'updated' END, CASE WHEN stored.currency = post.currency THEN stored.balance_cents END
    INTO post.company_status, post.base_currency, post.timezone, post.today, post.excluded, post.accounts,
      post.set_account_type, post.known_account_type, post.id, post.version, post.created_at, post.result,
      post.previous_balance_cents
    FROM (SELECT) one LEFT JOIN LATERAL (
      SELECT b.* FROM cash_balance b WHERE b.company_id = company.id
        AND (b.connection_id, b.as_of) >= (post.connection_id, post.as_of)
        AND (b.connection_id, b.as_of) <= (post.connection_id, post.as_of) ORDER BY b.connection_id LIMIT 1
    ) stored ON true;
    post.is_counted := post.as_of <= post.today + 1 AND (post.connection_id = ANY (post.excluded)) IS NOT TRUE;
    post.is_accepted := post.company_status <> 'dissolved';
    IF starts_with(post.connection_id, 'conn_') THEN
      SELECT k.status, k.currency INTO post.connection_status, post.connection_currency FROM bank_connection k
      WHERE k.id = post.connection_id AND k.company_id = post.company_id AND {{shares_lock}} FOR KEY SHARE;
      post.is_accepted := post.is_accepted
        AND (post.connection_status IN ('active', 'error') OR post.connection_status = 'pending' AND may_activate);
    END IF;
    post.is_owned := true;
    IF post.ingest_key IS NOT NULL THEN
      post.is_owned := EXISTS (
        SELECT FROM series_owner w WHERE w.account_id = of_account AND w.company_id = post.company_id
          AND w.connection_id = post.connection_id AND w.key_id = post.ingest_key
      ) AND (post.lists_connections OR NOT EXISTS (
        SELECT FROM api_key k WHERE {{reserving_key}} AND post.connection_id = ANY (k.connection_ids)
          AND (k.company_ids IS NULL OR post.company_id = ANY (k.company_ids))
      ));
    END IF;
    post.is_accepted := coalesce(post.is_accepted AND post.is_owned, false);
    names_types := names_types OR post.is_accepted AND post.account_type IS NOT NULL;
    posts[i] := post;
  END LOOP;

  -- The cash on hand after each post, which counts the earlier posts of the batch.
  FOR seen IN
    WITH RECURSIVE sent AS MATERIALIZED (
      SELECT n, company_id, connection_id, as_of, balance_cents, currency, base_currency, account_type,
        set_account_type, known_account_type, is_counted
      FROM unnest(posts) WHERE is_accepted
    ),
    {{series}},
    counted AS MATERIALIZED (SELECT * FROM known)
    SELECT p.n, cash.lines, (
      SELECT s.currency FROM newest s WHERE s.company_id = p.company_id AND s.connection_id = p.connection_id
    ) AS series_currency
    FROM sent p CROSS JOIN LATERAL (
      SELECT string_agg(concat('{"currency":"', currency, '","balance_cents":', CASE
        WHEN abs(total) <= {{exact_sum}} THEN total::text ELSE 'null,"balance_string":"' || total || '"' END, '}'),
        ',' ORDER BY currency <> p.base_currency, currency COLLATE "C") AS lines
      FROM (
        SELECT currency, sum(balance_cents) AS total FROM (
          SELECT DISTINCT ON (connection_id) connection_id, currency, balance_cents, account_type FROM (
            SELECT l.connection_id, l.as_of, 0 AS n, l.currency, l.balance_cents, l.account_type
            FROM counted l WHERE l.company_id = p.company_id
            UNION ALL
            SELECT q.connection_id, q.as_of, q.n, q.currency, q.balance_cents, q.known_account_type
            FROM sent q WHERE q.company_id = p.company_id AND q.is_counted AND q.n <= p.n
          ) balances ORDER BY connection_id, as_of DESC, n DESC
        ) latest_of WHERE coalesce(CASE WHEN names_types THEN (
          SELECT q.account_type FROM sent q
          WHERE q.company_id = p.company_id AND q.connection_id = latest_of.connection_id AND q.n <= p.n
            AND q.account_type IS NOT NULL AND q.set_account_type IS NULL
          ORDER BY q.n DESC LIMIT 1
        ) END, account_type) NOT IN {{no_cash_types}} GROUP BY currency
      ) sums
    ) cash
  LOOP
    post := posts[seen.n];
    post.series_currency := seen.series_currency;
    IF post.series_currency IS NULL THEN post.series_currency := {{row_currency}}; END IF;
    -- The JSON that the api would make of the event, byte for byte.
    post.body := concat(
      '{"id":"', post.event_id, '","type":"bank.balance.updated","created_at":"', to_char(moment AT TIME ZONE 'UTC', iso),
      '","account_id":"', of_account, '","company_id":"', post.company_id,
      '","data":{"id":"', post.id, '","object":"cash_balance","account_id":"', of_account,
      '","company_id":"', post.company_id, '","as_of":"', post.as_of, '","balance_cents":', post.balance_cents,
      ',"currency":', to_json(post.currency), ',"source":', to_json(post.source),
      ',"connection_id":', coalesce(to_json(nullif(post.connection_id, ''))::text, 'null'),
      ',"account_type":', coalesce(to_json(post.account_type)::text, 'null'),
      ',"created_at":"', to_char(post.created_at AT TIME ZONE 'UTC', iso),
      '","updated_at":"', to_char(moment AT TIME ZONE 'UTC', iso), '","result":"', post.result, '"',
      ',"previous_balance_cents":' || post.previous_balance_cents, ',"cash_on_hand":[', seen.lines, ']}}');
    posts[seen.n] := post;
  END LOOP;

  -- In key order: overlapping transactions cannot deadlock. The version refuses a row that was changed after it was read,
  -- so the event is right and the feed has the order of the values.
  WITH stored AS (
    INSERT INTO cash_balance AS b (id, account_id, company_id, connection_id, as_of, balance_cents, currency, source,
      account_type, version, created_at, updated_at)
    SELECT id, of_account, company_id, connection_id, as_of, balance_cents, currency, source, account_type, version + 1,
      created_at, moment
    FROM unnest(posts) WHERE is_accepted ORDER BY n
    ON CONFLICT (company_id, connection_id, as_of) DO UPDATE
      SET balance_cents = excluded.balance_cents, currency = excluded.currency, source = excluded.source,
          account_type = excluded.account_type, version = excluded.version, updated_at = excluded.updated_at
      WHERE b.version = excluded.version - 1
    RETURNING id
  )
  SELECT array_agg(id) INTO stored_ids FROM stored;
  FOR i IN 1 .. cardinality(posts) LOOP
    IF (posts[i].id = ANY (stored_ids)) IS NOT TRUE THEN posts[i].body := NULL; END IF;
  END LOOP;

  IF stored_ids IS NOT NULL THEN
    IF names_types THEN
      INSERT INTO connection_account_type AS t (account_id, company_id, connection_id, account_type)
      SELECT DISTINCT ON (company_id, connection_id) of_account, company_id, connection_id, account_type
      FROM unnest(posts) WHERE account_type IS NOT NULL AND body IS NOT NULL
      ORDER BY company_id, connection_id, n DESC
      ON CONFLICT (company_id, connection_id) DO UPDATE SET account_type = excluded.account_type
        WHERE t.account_type <> excluded.account_type;
    END IF;
    WITH {{positions}},
    audited AS (
      INSERT INTO audit_log (id, account_id, company_id, actor, actor_id, actor_type, action, resource_id, request_id, ip,
        after, created_at, event_ids, position)
      SELECT p.audit_id, of_account, p.company_id, p.actor, p.actor ->> 'id', p.actor ->> 'type', 'cash.balances.upsert',
        p.id, p.request_id, p.ip, jsonb_build_object('as_of', p.as_of, 'balance_cents', p.balance_cents,
          'currency', p.currency, 'result', p.result), moment, ARRAY[p.event_id], {{audit_position}}
      FROM unnest(posts) p CROSS JOIN sq WHERE p.body IS NOT NULL
    ),
    {{emit}}
    SELECT json_agg(d) INTO new_deliveries FROM ({{deliveries}}) d;
    posts[1].deliveries := new_deliveries;
  END IF;
  RETURN QUERY SELECT * FROM unnest(posts);
END $$;
