// Risk: one result that is not JSON takes the results of the other calls with it.
import { operations } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { TableEntry } from '../operations/operation-table.ts';
import { createRouter } from './router.ts';
import { executeCalls, sendResponses } from './trpc-calls.ts';

const denials = { note: () => undefined, flush: async () => undefined };

function entryOf(operation: TableEntry['operation'], output: unknown): TableEntry {
  return { operation, parse: () => ({ input: {}, warnings: [] }), verb: async () => output, denials };
}

// The part of a context that access checks read.
function asContext(context: Pick<Context, 'scope'> & { access: object }): Context {
  return context as Context;
}

test('a result that is not JSON is the error of its call only', async () => {
  const table = [entryOf(operations.me.get, { big: 1n }), entryOf(operations.companies.list, { data: [] })];
  const entries = new Map(table.map((entry) => [entry.operation.id, entry]));
  const errors: unknown[] = [];
  const options = { router: createRouter(table), entries, onError: (error: unknown) => errors.push(error) };
  const app = Fastify();
  app.get('/', async (request, reply) => {
    request.caller = asContext({ scope: 'human', access: {} });
    const sent = { names: [...entries.keys()], isBatch: true };
    return sendResponses(reply, await executeCalls(sent, { value: {}, inexact: [] }, reply, options), true);
  });
  const response = await app.inject('/');
  expect([response.statusCode, response.json()]).toMatchObject([
    207,
    [
      {
        error: { code: -32603, data: { code: 'INTERNAL_SERVER_ERROR', path: 'me.get', problem: { code: 'internal' } } },
      },
      { result: { data: { data: [] } } },
    ],
  ]);
  expect(errors).toEqual([expect.any(TypeError)]);
});
