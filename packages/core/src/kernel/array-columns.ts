import { bigintArray, booleanArray, intArray, textArray, timestamptzArray } from './binary-array.ts';

/** A parameter of a statement that holds one value of every row. */
export interface ArrayColumn<Row> {
  name: string;
  type: string;
  toArray: (rows: readonly Row[]) => Buffer;
}

type Value<Row, T> = (row: Row) => T | null | undefined;

function column<T>(type: string, toArray: (values: readonly (T | null | undefined)[]) => Buffer) {
  return <Row>(name: string, value: Value<Row, T>): ArrayColumn<Row> => ({
    name,
    type,
    toArray: (rows) => toArray(rows.map(value)),
  });
}

/** Columns of rows that go to PostgreSQL as binary arrays; null and undefined are null. */
export const textColumn = column<string>('text', textArray);
export const intColumn = column<number>('int', intArray);
export const bigintColumn = column<number>('bigint', bigintArray);
/** Of moments in milliseconds since 1970. */
export const timestamptzColumn = column<number>('timestamptz', timestamptzArray);
export const booleanColumn = column<boolean>('boolean', booleanArray);

/** SQL: the arrays, from the parameter `first` on, as rows. */
export function unnestSql(columns: readonly Pick<ArrayColumn<never>, 'type'>[], first: number): string {
  return `unnest(${columns.map(({ type }, i) => `$${first + i}::${type}[]`).join(', ')})`;
}

/** SQL: the columns' names. */
export function columnNames(columns: readonly Pick<ArrayColumn<never>, 'name'>[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** The parameters, in the order of the columns. */
export function columnArrays<Row>(columns: readonly ArrayColumn<Row>[], rows: readonly Row[]): Buffer[] {
  return columns.map(({ toArray }) => toArray(rows));
}
