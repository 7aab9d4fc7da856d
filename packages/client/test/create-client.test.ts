// Risk: calls that were made together are refused together, because they travel in a larger batch than the service takes.
import { createClient } from '@finhook/client';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

test('calls of the same tick travel in batches of twelve at most', async () => {
  const batches: number[] = [];
  const server = await listen((request, response) => {
    const calls = (request.url ?? '').split('?', 1)[0]?.split(',') ?? [];
    batches.push(calls.length);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(calls.map(() => ({ result: { data: {} } }))));
  });
  const client = createClient({ url: server.url, apiKey: 'sk_test_x' });
  expect(await Promise.all(Array.from({ length: 30 }, () => client.me.get.query()))).toHaveLength(30);
  expect(batches.toSorted((a, b) => b - a)).toEqual([12, 12, 6]);
  await server.close();
});
