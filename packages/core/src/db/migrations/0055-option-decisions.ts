import { Migration } from '@mikro-orm/migrations';

/**
 * The decisions of `options`, in the same order. Null in rows of version 0.2.0, whose processes may run beside later ones:
 * it follows from the texts then.
 */
export class OptionDecisions extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE agent_approval ADD COLUMN option_decisions text[]');
  }
}
