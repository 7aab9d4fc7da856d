import { Migration } from '@mikro-orm/migrations';

/**
 * A key counts as the person of the key it replaced by rotation, else of the key that made it, else as a person of its own.
 * The column takes null, because processes of 0.1.0 make keys until all are updated; such a key is a person of its own.
 */
const persons = `
ALTER TABLE api_key ADD COLUMN person_id text COLLATE "C";
WITH RECURSIVE parent AS (
  SELECT k.id, coalesce(rotated.id, maker.id) AS parent_id
  FROM api_key k
  LEFT JOIN api_key rotated ON rotated.rotated_to = k.id AND rotated.account_id = k.account_id
  LEFT JOIN api_key maker ON maker.id = k.created_by ->> 'id' AND maker.account_id = k.account_id
), person AS (
  SELECT id, id AS person_id FROM parent WHERE parent_id IS NULL
  UNION ALL
  SELECT child.id, person.person_id FROM person JOIN parent child ON child.parent_id = person.id
)
UPDATE api_key k SET person_id = person.person_id FROM person WHERE person.id = k.id;
`;

/** Changes of a threshold from before are taken as agreed. */
const wireTerms = `ALTER TABLE company ADD COLUMN prior_wire_terms jsonb NOT NULL DEFAULT '[]'`;

/** Filled by `0040-approval-requesters`: whoever reads the audit log must not lock the keys meanwhile. */
const requesters = 'ALTER TABLE agent_approval ADD COLUMN requested_by jsonb';

export class Persons extends Migration {
  override up(): void {
    this.addSql(persons);
    this.addSql(wireTerms);
    this.addSql(requesters);
  }

  override down(): void {
    this.addSql('ALTER TABLE agent_approval DROP COLUMN requested_by');
    this.addSql('ALTER TABLE company DROP COLUMN prior_wire_terms');
    this.addSql('ALTER TABLE api_key DROP COLUMN person_id');
  }
}
