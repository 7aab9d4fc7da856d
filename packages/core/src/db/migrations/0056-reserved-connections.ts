import { Migration } from '@mikro-orm/migrations';

/** Finds the ingest keys that list a connection: each post of a key that lists none asks for them. */
export class ReservedConnections extends Migration {
  override up(): void {
    this.addSql('CREATE INDEX api_key_reserving ON api_key (account_id) WHERE connection_ids IS NOT NULL');
  }
}
