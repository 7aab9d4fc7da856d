import { Migration } from '@mikro-orm/migrations';

// With the delivery's id as its third column the index could also answer for an id alone, by reading all of it; and on a
// table that was analysed while nothing was due, as it mostly is, that looked as cheap as the primary key.
const dueIndex = `
DROP INDEX due_endpoint;
CREATE INDEX due_endpoint ON due (endpoint_id, due_at);
`;

export class DueIndex extends Migration {
  override up(): void {
    this.addSql(dueIndex);
  }

  override down(): void {
    this.addSql('DROP INDEX due_endpoint');
    this.addSql('CREATE INDEX due_endpoint ON due (endpoint_id, due_at, delivery_id)');
  }
}
