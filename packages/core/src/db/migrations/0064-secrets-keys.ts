import { Migration } from '@mikro-orm/migrations';

/** Ids of the SECRETS_KEY keys in use by processes, or else by stored secrets. Hashes of API keys have no key id. */
export class SecretsKeys extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE secrets_key (
        id text COLLATE "C" PRIMARY KEY,
        seen_at timestamptz NOT NULL
      )`);
    this.addSql(`
      INSERT INTO secrets_key (id, seen_at)
      SELECT id, now() FROM (
        SELECT unnest(secrets_keys) AS id FROM service_process
        UNION SELECT split_part(secret, '.', 2) FROM webhook_endpoint WHERE secret LIKE 'v1.%'
        UNION SELECT split_part(secret, '.', 2) FROM bank_connection WHERE secret LIKE 'v1.%'
      ) AS found`);
  }
}
