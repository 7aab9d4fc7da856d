import { Migration } from '@mikro-orm/migrations';

// Workers of the former version, which run until all are updated, no longer find their column: a seal of theirs in the old
// order, made after this one, would leave a wrong chain for good. What they were about to commit is waited for.
const renamePosition = 'ALTER TABLE audit_seal RENAME COLUMN last_xid TO last_transaction';
// Seals were made in the order of transaction ids as text, 1000 before 999. Where ids of two lengths met, the chain names
// rows twice or passes some by, and would be called damaged for ever: there the worker seals all rows anew.
const dropWrongChain = `
DELETE FROM audit_seal WHERE (SELECT count(DISTINCT length(xid::text)) > 1 FROM audit_log)
`;

export class ResealAudit extends Migration {
  override up(): void {
    this.addSql(renamePosition);
    this.addSql(dropWrongChain);
  }

  override down(): void {
    this.addSql('SELECT 1');
  }
}
