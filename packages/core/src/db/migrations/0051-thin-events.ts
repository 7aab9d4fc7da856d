import { Migration } from '@mikro-orm/migrations';

/**
 * `payload` is the form of future events of an endpoint. `thin_body` is what a thin delivery sends, null for the full
 * form. `due.thin` shows the form to the claim.
 */
const columns = `
ALTER TABLE webhook_endpoint ADD COLUMN payload text NOT NULL DEFAULT 'full' CHECK (payload IN ('full', 'thin'));
ALTER TABLE delivery ADD COLUMN thin_body text;
ALTER TABLE due ADD COLUMN thin boolean NOT NULL DEFAULT false;
`;

/**
 * The envelope with the data fields that `forms` names for the type, as [name, field], or [name, field, key] for a key
 * of the object, or of each object of the list, in the field. Null without a form. VOLATILE, so that no plan parses a
 * body before an endpoint needs it.
 */
const thinEvent = `
CREATE FUNCTION thin_event(body text, forms jsonb) RETURNS text LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
DECLARE
  event jsonb := event_document(body);
  fields text;
BEGIN
  SELECT string_agg(to_json(form ->> 0)::text || ':' || CASE
      WHEN form ->> 2 IS NULL OR jsonb_typeof(value) = 'null' THEN value::text
      WHEN jsonb_typeof(value) = 'array' THEN
        (SELECT '[' || coalesce(string_agg((one -> (form ->> 2))::text, ',' ORDER BY n), '') || ']'
         FROM jsonb_array_elements(value) WITH ORDINALITY AS list (one, n))
      ELSE (value -> (form ->> 2))::text
    END, ',' ORDER BY place) INTO fields
  FROM jsonb_array_elements(forms -> (event ->> 'type')) WITH ORDINALITY AS f (form, place)
  CROSS JOIN LATERAL (SELECT event -> 'data' -> (form ->> 1) AS value) v;
  RETURN left(body, strpos(body, ',"data":') + 7) || '{' || fields || '}}';
END $$;
`;

export class ThinEvents extends Migration {
  override up(): void {
    for (const part of [columns, thinEvent]) this.addSql(part);
  }
}
