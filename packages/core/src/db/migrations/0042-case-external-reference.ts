import { Migration } from '@mikro-orm/migrations';

export class CaseExternalReference extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE case_file ADD COLUMN external_reference text');
  }
}
