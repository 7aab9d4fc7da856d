import type { Operation } from '@finhook/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Context } from '../src/verbs/context.ts';
import { type Input, verbOf } from './operation-stage.ts';
import { readAll } from './read-all.ts';

type Item = Record<string, unknown>;
/** What a filter's value selects, reported once more in plain code. */
type Reference = { values: readonly unknown[]; keeps: (item: Item, value: never) => boolean };

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
export const dayAfter = (days: number): string => instantAfter(days).slice(0, 10);
export const instantAfter = (days: number): string => new Date(START + days * DAY).toISOString();
export const pick = <T>(values: readonly T[], i: number): T => values[i % values.length] as T;

const at = (field: string, keeps: (moment: number, bound: number) => boolean) => ({
  values: [
    ...[0, 7.5, 15].map(instantAfter),
    '2026-01-20T02:00:00+05:30',
    '1969-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ],
  keeps: (item: Item, value: string) => keeps(Date.parse(String(item[field])), Date.parse(value)),
});
export const from = (field: string) => at(field, (moment, bound) => moment >= bound);
export const to = (field: string) => at(field, (moment, bound) => moment < bound);
export const equal = (field: string, values: readonly unknown[]) => ({
  values,
  keeps: (item: Item, value: unknown) => item[field] === value,
});
export const day = (field: string, keeps: (a: string, b: string) => boolean) => ({
  values: [0, 3, 9, 400].map(dayAfter),
  keeps: (item: Item, value: string) => keeps(String(item[field]), value),
});
export const amount = (field: string, keeps: (a: number, b: number) => boolean) => ({
  values: [-10, -1, 0, 1, 10, Number.MAX_SAFE_INTEGER],
  keeps: (item: Item, value: number) => keeps(Number(item[field]), value),
});
export const search = (...fields: readonly string[]) => ({
  values: ['100%', '_', '\\', 'RENT', 'l', 'no such text', '?', '$1', "'"],
  keeps: (item: Item, value: string) =>
    fields.some((field) => {
      const text = item[field];
      return typeof text === 'string' && text.toLowerCase().includes(value.toLowerCase());
    }),
});
export const created = { created_from: from('created_at'), created_to: to('created_at') };
export const times = { ...created, updated_since: from('updated_at') };

const paging = ['limit', 'after', 'before', 'order', 'sort', 'include'];

// Each filter's function takes the values that stand beside it.
function selects(reference: Reference | undefined, item: Item, value: unknown): boolean {
  return reference?.keeps(item, value as never) ?? false;
}

interface Page {
  data: Item[];
  next_cursor: string | null;
}

// The input is made of fields that the operation's own schema has, and the output is a list's.
function asPage(call: Promise<unknown>): Promise<Page> {
  return call as Promise<Page>;
}

/**
 * Registers the tests of a list of more than ten rows. The ids of its path are those of `known`, and a filter's value in
 * braces is one of these, too. Filters that change what a row has are tested elsewhere.
 */
export function testList(
  operation: Operation,
  filters: Record<string, Reference>,
  context: Context,
  known: Readonly<Record<string, unknown>>,
  testedElsewhere: readonly string[] = [],
): void {
  const inPath = [...operation.http.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const read = (input: Input) => {
    const place = Object.fromEntries(inPath.map((name) => [name, known[name]]));
    return asPage(verbOf(operation)(context, { ...place, limit: 1000, order: 'asc', ...input }));
  };
  const valueOf = (value: unknown): unknown => {
    const [, name] = /^\{(\w+)\}$/.exec(String(value)) ?? [];
    return name === undefined ? value : known[name];
  };
  const anyFilters = fc
    .subarray(Object.entries(filters), { maxLength: 4 })
    .chain((chosen) =>
      fc.tuple(...chosen.map(([name, { values }]) => fc.tuple(fc.constant(name), fc.constantFrom(...values)))),
    );

  describe(operation.id, () => {
    test('each filter that the operation has is compared here', () => {
      const fields = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
      const own = fields.filter((name) => ![...paging, ...inPath, ...testedElsewhere].includes(name));
      expect(own.toSorted()).toEqual(Object.keys(filters).toSorted());
    });

    test('filters, alone and together, select what plain code selects of all rows', async () => {
      const { data: all } = await read({});
      expect(all.length).toBeGreaterThan(10);
      const compare = async (chosen: readonly (readonly [string, unknown])[]): Promise<number> => {
        const named = chosen.map(([name, value]) => [name, valueOf(value)] as const);
        const expected = all.filter((item) => named.every(([name, value]) => selects(filters[name], item, value)));
        expect((await read(Object.fromEntries(named))).data, JSON.stringify(named)).toEqual(expected);
        return expected.length;
      };
      for (const [name, { values }] of Object.entries(filters)) {
        const found = await Promise.all(values.map((value) => compare([[name, value]])));
        // A filter whose every value selects all, or nothing, is compared with nothing.
        expect([name, new Set(found).size > 1 || found.some((count) => count < all.length)]).toEqual([name, true]);
      }
      await fc.assert(
        fc.asyncProperty(anyFilters, async (chosen) => void (await compare(chosen))),
        { numRuns: 40 },
      );
    });

    test.each(['asc', 'desc'] as const)(
      'pages (%s) have each row once, in the order of the whole list',
      async (order) => {
        const all = (await read({ order })).data;
        expect(await readAll((after) => read({ order, limit: 7, ...(after === undefined ? {} : { after }) }))).toEqual(
          all,
        );
      },
    );
  });
}
