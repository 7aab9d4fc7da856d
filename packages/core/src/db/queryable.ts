export interface Queryable {
  /** Runs one SQL text with `$1…` values. Texts made by `statement()` are prepared once per connection. */
  query: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
}

interface PreparedStatement {
  readonly name: string;
  readonly isSystem: boolean;
}

const made = new Map<string, PreparedStatement>();

/** Those that were made, by their text. */
export const statements: ReadonlyMap<string, PreparedStatement> = made;

/**
 * Labels a constant SQL text: it shows in pg_stat_activity and is prepared once per connection under this name. It runs
 * for an account, whose rows are all that it sees (`Database.forAccount`).
 */
export function statement(name: string, sql: string): string {
  return label({ name, isSystem: false }, sql);
}

/** The same for one that the service runs for several accounts: its conditions name them for each table. */
export function systemStatement(name: string, sql: string): string {
  return label({ name, isSystem: true }, sql);
}

/** The accounts that such a statement names, for a batch of rows of several. */
export function accountsOf(rows: readonly { readonly accountId: string }[]): string[] {
  return [...new Set(rows.map(({ accountId }) => accountId))];
}

function label(labelled: PreparedStatement, sql: string): string {
  const text = `/* ${labelled.name} */ ${sql}`;
  made.set(text, labelled);
  return text;
}
