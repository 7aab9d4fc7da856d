// Risk: an export computes what decides the class of its rows for each page, or mixes what two exports computed.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { createListReader } from './list-exports.ts';

test('an export computes something once for all of its pages, and the next one again', async () => {
  let computed = 0;
  const openList = createListReader(operations.bank.transactions.list, async (_, input) => {
    const { once } = Object(input);
    return { data: [{ n: await once(async () => ++computed) }], has_more: false, next_cursor: null };
  });
  const noContext = async () => Object(undefined);
  const readTwice = async () => {
    const list = openList({ company_id: 'co_1', month: '2026-10' }, noContext);
    const pages = [await list.read({ limit: 1, order: 'asc' }), await list.read({ limit: 1, order: 'asc' })];
    return pages.flatMap(({ data }) => data);
  };
  expect(await readTwice()).toEqual([{ n: 1 }, { n: 1 }]);
  expect(await readTwice()).toEqual([{ n: 2 }, { n: 2 }]);
});
