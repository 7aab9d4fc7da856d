// Risk: a value is stored wrongly because its bytes are encoded wrongly.
import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import fc from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openRawClient } from '../../test/raw-client.ts';
import { bigintArray, booleanArray, intArray, textArray, timestamptzArray } from './binary-array.ts';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase(inject('pgUrl'));
  client = await openRawClient(database.url);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function echo(type: string, parameter: Buffer): Promise<unknown> {
  const { rows } = await client.query<{ list: unknown }>(`SELECT to_json($1::${type}[]) AS list`, [parameter]);
  return rows[0]?.list;
}

const storable = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));

test('texts are stored unchanged, also empty ones and nulls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(storable)), async (values) => {
      expect(await echo('text', textArray(values))).toEqual(values);
    }),
  );
});

test('safe integers are stored unchanged', async () => {
  const bounds = [Number.MIN_SAFE_INTEGER, -(2 ** 32), -1, 0, 1, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];
  expect(await echo('bigint', bigintArray(bounds))).toEqual(bounds);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.maxSafeInteger())), async (values) => {
      expect(await echo('bigint', bigintArray(values))).toEqual(values);
    }),
  );
});

test('32-bit integers are stored unchanged, larger ones are rejected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.integer())), async (values) => {
      expect(await echo('int', intArray(values))).toEqual(values);
    }),
  );
  expect(() => intArray([2 ** 31])).toThrow(RangeError);
});

test('times are stored to the millisecond, also before 2000', async () => {
  const moment = fc.date({ min: new Date(0), max: new Date('2284-12-31T23:59:59.999Z'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(moment.map((date) => date.getTime()))), async (values) => {
      const { rows } = await client.query<{ ms: string | null }>(
        'SELECT (extract(epoch FROM t) * 1000)::bigint AS ms FROM unnest($1::timestamptz[]) AS t',
        [timestamptzArray(values)],
      );
      expect(rows.map(({ ms }) => (ms === null ? null : Number(ms)))).toEqual(values);
    }),
  );
});

test.each([[[]], [[true]], [[false, null, true]]])('the booleans %j are stored unchanged', async (values) => {
  expect(await echo('boolean', booleanArray(values))).toEqual(values);
});
