export interface Queryable {
  /** Runs SQL with `$1…` values. Texts made by `statement()` are prepared once per connection. */
  query: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
}

interface PreparedStatement {
  readonly name: string;
  readonly isSystem: boolean;
}

const made = new Map<string, PreparedStatement>();

/** All labelled statements by text. Filled while modules load; tests check each of them. */
export const statements: ReadonlyMap<string, PreparedStatement> = made;

/**
 * Labels a constant SQL text: the name shows in pg_stat_activity, and the statement is prepared once per connection. It
 * runs only for one account (`Database.forAccount`).
 */
export function statement(name: string, sql: string): string {
  return label({ name, isSystem: false }, sql);
}

/** Like `statement`, for several accounts: its conditions name the accounts for each table. */
export function systemStatement(name: string, sql: string): string {
  return label({ name, isSystem: true }, sql);
}

/** The accounts of a batch of rows, for a `systemStatement`. */
export function accountsOf(rows: readonly { readonly accountId: string }[]): string[] {
  return [...new Set(rows.map(({ accountId }) => accountId))];
}

function label(labelled: PreparedStatement, sql: string): string {
  const text = `/* ${labelled.name} */ ${sql}`;
  made.set(text, labelled);
  return text;
}
