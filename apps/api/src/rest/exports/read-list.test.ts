// Risk: an export leaves out or repeats rows, never ends, mixes what two exports computed, or reads a whole table into memory
// for a reader who is gone.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { createInputParser } from '../../operations/parse-input.ts';
import { type AnyPage, type OpenList, openList, type PageBounds, streamList } from './read-list.ts';

/** A list of numbers that may grow while it is read; a cursor is the number it stands at. */
function listOf(rows: number[], asked: PageBounds[] = []): OpenList {
  const read = async (page: PageBounds): Promise<AnyPage> => {
    asked.push(page);
    const sorted = rows.toSorted((a, b) => (page.order === 'asc' ? a - b : b - a));
    const start = page.after === undefined ? 0 : sorted.indexOf(Number(page.after)) + 1;
    const end = page.until === undefined ? sorted.length : sorted.indexOf(Number(page.until)) + 1;
    const found = sorted.slice(start, end);
    const data = found.slice(0, page.limit).map((n) => ({ n }));
    return { data, has_more: found.length > page.limit, next_cursor: data.length > 0 ? String(data.at(-1)?.n) : null };
  };
  return { order: 'asc', after: undefined, read };
}

const encode = (records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

async function readAll(chunks: AsyncIterable<string>): Promise<number[]> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  const read = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return read;
}

test.each([0, 1, 49, 50, 51, 150, 151, 1000])('%i rows are read once each, in order', async (count) => {
  expect(await readAll(streamList(listOf(numbers(count)), encode))).toEqual(numbers(count));
  const backwards: OpenList = { ...listOf(numbers(count)), order: 'desc' };
  expect(await readAll(streamList(backwards, encode))).toEqual(numbers(count).toReversed());
});

test('it starts after the given cursor', async () => {
  expect(await readAll(streamList({ ...listOf(numbers(9)), after: '5' }, encode))).toEqual([6, 7, 8]);
});

test('it ends at the row that was last at the start, however fast others write', async () => {
  const rows = numbers(300);
  const { read, ...list } = listOf(rows);
  const growing: OpenList = {
    ...list,
    read: async (page) => {
      const response = await read(page);
      for (let i = 0; i < 500; i++) rows.push(rows.length);
      return response;
    },
  };
  expect(await readAll(streamList(growing, encode))).toEqual(numbers(300));
});

test('pages are read on demand, and not after the reader has gone', async () => {
  const asked: PageBounds[] = [];
  const chunks = streamList(listOf(numbers(1000), asked), encode);
  expect(asked).toHaveLength(0);
  await chunks.next();
  // The end of the list, and the first page.
  expect(asked).toHaveLength(2);
  await chunks.return();
  expect((await chunks.next()).done).toBe(true);
  expect(asked).toHaveLength(2);
});

test('pages grow to the size of a page, and stay small where rows are large', async () => {
  const small: PageBounds[] = [];
  await readAll(streamList(listOf(numbers(2000), small), encode));
  expect(small.slice(1, 5).map(({ limit }) => limit)).toEqual([50, 100, 200, 200]);
  const large: PageBounds[] = [];
  const padding = ' '.repeat(100_000);
  await readAll(streamList(listOf(numbers(60), large), (records) => encode(records) + padding.repeat(records.length)));
  expect(large.slice(1, 4).map(({ limit }) => limit)).toEqual([50, 2, 2]);
});

test('an export computes shared values once for all of its pages', async () => {
  let computed = 0;
  const operation = operations.bank.transactions.list;
  const verb = async (_: unknown, input: unknown) => {
    const { once } = Object(input);
    return { data: [{ n: await once(async () => ++computed) }], has_more: false, next_cursor: null };
  };
  const entry = { operation, parse: createInputParser(operation), verb, denials: Object(undefined) };
  const noContext = async () => Object(undefined);
  const readTwice = async () => {
    const list = openList(entry, { company_id: 'co_1', month: '2026-10' }, noContext);
    const pages = [await list.read({ limit: 1, order: 'asc' }), await list.read({ limit: 1, order: 'asc' })];
    return pages.flatMap(({ data }) => data);
  };
  expect(await readTwice()).toEqual([{ n: 1 }, { n: 1 }]);
  expect(await readTwice()).toEqual([{ n: 2 }, { n: 2 }]);
});
