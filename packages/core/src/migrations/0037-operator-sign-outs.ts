import { Migration } from '@mikro-orm/migrations';

/** Operators' sessions are signed cookies; those that were signed out are kept until they would have expired. */
const table = `
CREATE TABLE operator_sign_out (
  session_id text COLLATE "C" PRIMARY KEY,
  expires_at timestamptz(3) NOT NULL
)`;

export class OperatorSignOuts extends Migration {
  override up(): void {
    this.addSql(table);
  }

  override down(): void {
    this.addSql('DROP TABLE operator_sign_out');
  }
}
