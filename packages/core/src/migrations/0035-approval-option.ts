import { Migration } from '@mikro-orm/migrations';

/** `chosen_option`: the one of an approval's `options` that its reviewer chose. */
export class ApprovalOption extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE agent_approval ADD COLUMN chosen_option text');
  }

  override down(): void {
    this.addSql('ALTER TABLE agent_approval DROP COLUMN chosen_option');
  }
}
