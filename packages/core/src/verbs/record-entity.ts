import { defineEntity, p } from '@mikro-orm/postgresql';

/** An entity of an account: besides `properties` it has the columns that every record has. */
export function recordEntity<const Name extends string, const Properties extends Record<string, unknown>>(
  name: Name,
  tableName: string,
  properties: Properties,
) {
  return defineEntity({
    name,
    tableName,
    properties: {
      id: p.text().primary(),
      account_id: p.text(),
      ...properties,
      created_at: p.datetime(),
      updated_at: p.datetime(),
    },
  });
}
