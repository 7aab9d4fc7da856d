export interface Queryable {
  /** Runs one SQL text with `$1…` values. Texts made by `statement()` are prepared once per connection. */
  query: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
}

/** Labels a constant SQL text: it shows in pg_stat_activity and is prepared once per connection under this name. */
export function statement(name: string, sql: string): string {
  return `/* ${name} */ ${sql}`;
}
