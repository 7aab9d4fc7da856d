// Risk: an exported file has wrong rows, or ends early without an error.

import { type Operation, operationList, operations } from '@finhook/contracts';
import { withClient } from '@finhook/testing';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exportColumns } from '../src/operations/list-exports.ts';
import { type ApiResponse, type Input } from './api-client.ts';
import { pathNames, useApi } from './api-fixture.ts';
import { openStream } from './open-stream.ts';
import { parseCsv, valueOf } from './parse-csv.ts';
import { readAllIds } from './read-pages.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';
import { seedTransactions } from './seed-transactions.ts';
import { untilRejected } from './until-rejected.ts';

const fixture = useApi({ onQuery: (sql) => void statements.push(sql) });
let seed: Seed;
/** A company with more transactions than the buffers of a connection hold. */
let large: string;
const statements: string[] = [];
const patience = { timeout: 10_000 };
const LARGE = 10_000;

const list = operations.bank.transactions.list;

beforeAll(async () => {
  seed = await seedTenant(fixture);
  const { client } = fixture;
  const awkward = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', 'a,b', 'say "hi"', 'two\r\nlines', '', "'", 'é😀'];
  await client.rest(operations.bank.transactions.ingest, {
    company_id: seed.company_id,
    transactions: awkward.map((text, i) => ({
      external_id: `awkward-${i}`,
      posted_at: '2026-03-01T14:05:00Z',
      amount_cents: -i,
      description: text,
      ...(text === '' ? {} : { category: text, counterparty: text }),
    })),
  });
  large = await largeCompany('Large', LARGE);
});

function idsOf(operation: Operation): Input {
  const known: Input = { ...seed };
  return Object.fromEntries(pathNames(operation).map((name) => [name, known[name]]));
}

const asFile = (operation: Operation, format: string, input: Input = {}): Promise<ApiResponse> =>
  fixture.client.rest(operation, { ...idsOf(operation), format, ...input });

test('every list that pages can be exported', () => {
  const paged = operationList.filter(({ input }) => input instanceof z.ZodObject && 'limit' in input.shape);
  expect(operationList.filter(exportColumns)).toEqual(paged);
  expect(paged.length).toBeGreaterThan(7);
});

interface Rows {
  data: Record<string, unknown>[];
}

// Text that has to be quoted, and free JSON.
describe.each([list, operations.agentActions.list])('$id', (operation) => {
  const { path } = operation.http;
  const target = () =>
    `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(idsOf(operation)[name]))}?limit=200`;
  const page = (): Promise<ApiResponse<Rows>> => fixture.client.send('GET', target());

  test('NDJSON: each line is the list’s item, byte for byte', async () => {
    const { text, headers, status } = await asFile(operation, 'ndjson');
    const { body, text: whole } = await page();
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    expect(text).toBe(body.data.map((item) => `${JSON.stringify(item)}\n`).join(''));
    expect(whole).toContain(`"data":[${text.trimEnd().split('\n').join(',')}]`);
  });

  test('CSV: an independent parser reads the same values', async () => {
    const { text, headers } = await asFile(operation, 'csv');
    if (operation === list) expect(text).toContain(`"'=1+1"`);
    const { data } = (await page()).body;
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const [header = [], ...rows] = parseCsv(text);
    const names = header.map((cell) => cell.text);
    expect(names).toEqual(exportColumns(operation));
    expect([rows.length, data.length > 0]).toEqual([data.length, true]);
    for (const [i, item] of data.entries()) {
      const expected = names.map((name) => item[name] ?? null);
      const kinds = expected.map((value) => (typeof value === 'string' ? 'text' : 'json'));
      expect(rows[i]?.map((cell, column) => valueOf(cell, kinds[column] ?? 'text'))).toEqual(expected);
      // Every field has a column.
      expect(names).toEqual(expect.arrayContaining(Object.keys(item)));
    }
  });
});

test('the response is a named file, and HEAD has the same headers', async () => {
  const { headers } = await asFile(list, 'csv');
  expect(headers['content-disposition']).toMatch(/^attachment; filename="bank-transactions-\d{4}-\d\d-\d\d\.csv"$/);
  const keys = await asFile(operations.webhookEndpoints.list, 'ndjson');
  expect(keys.headers['content-disposition']).toMatch(/filename="webhook-endpoints-\d{4}-\d\d-\d\d\.ndjson"$/);
  const target = `/api/v1/companies/${seed.company_id}/bank/transactions?format=csv`;
  const head = await fixture.client.send('HEAD', target);
  expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', headers['content-type']]);
  expect([headers['content-length'], head.headers['content-length']]).toEqual([undefined, undefined]);
});

test('without rows the file has the header or is empty', async () => {
  const company_id = (await fixture.client.rest(operations.companies.create, { name: 'Empty' })).body.id;
  expect((await asFile(list, 'csv', { company_id })).text).toBe(`${exportColumns(list)?.join(',')}\r\n`);
  expect((await asFile(list, 'ndjson', { company_id })).text).toBe('');
});

test('filters, order and after apply to a file, limit does not', async () => {
  const filter = { q: 'x', order: 'asc' };
  const place = { company_id: seed.company_id };
  const ids = await readAllIds(fixture.client, list, { ...place, ...filter });
  const idsIn = async (input: Input): Promise<unknown[]> =>
    (await asFile(list, 'ndjson', input)).text
      .trimEnd()
      .split('\n')
      .map((line) => Reflect.get(Object(JSON.parse(line)), 'id'));
  expect(ids.length).toBeGreaterThan(2);
  expect(await idsIn(filter)).toEqual(ids);
  expect(await idsIn({ ...filter, limit: 1 })).toEqual(ids);
  expect(await idsIn({ ...filter, order: 'desc' })).toEqual(ids.toReversed());
  const { next_cursor: after } = (await fixture.client.rest(list, { ...place, ...filter, limit: 1 })).body;
  expect(await idsIn({ ...filter, after })).toEqual(ids.slice(1));
  expect((await asFile(list, 'json', { limit: 1 })).body).toMatchObject({ object: 'list', has_more: true });
});

test('a file takes no other order than the default, which would read all rows for each page', async () => {
  for (const format of ['csv', 'ndjson', 'spreadsheet']) {
    const { status, problem } = await asFile(list, format, { sort: 'amount_cents' });
    expect([status, problem.code]).toEqual([422, 'validation_failed']);
    expect(problem.errors).toMatchObject([{ pointer: '/sort', code: 'not_applicable' }]);
    expect(problem.detail).toBe('/sort must be left out: files are sorted by posted_at.');
  }
  const [sorted, plain] = [await asFile(list, 'csv', { sort: 'posted_at' }), await asFile(list, 'csv')];
  expect([sorted.status, sorted.text]).toEqual([200, plain.text]);
  expect((await asFile(list, 'json', { sort: 'amount_cents' })).status).toBe(200);
  expect((await asFile(list, 'csv', { sort: 'unknown' })).problem.errors).toMatchObject([{ pointer: '/sort' }]);
});

test('errors are problem documents for every format', async () => {
  const stranger = await fixture.openTenant('Stranger');
  const rejections: [Promise<ApiResponse>, number, string][] = [
    [asFile(list, 'xml'), 422, 'validation_failed'],
    [asFile(list, 'csv', { before: 'x' }), 400, 'unknown_parameter'],
    [asFile(list, 'csv', { include: 'total_count' }), 400, 'unknown_parameter'],
    [asFile(list, 'ndjson', { include: 'totals' }), 400, 'unknown_parameter'],
    [asFile(list, 'csv', { after: 'x' }), 400, 'invalid_cursor'],
    [asFile(list, 'csv', { posted_from: 'yesterday' }), 422, 'validation_failed'],
    [asFile(operations.companies.get, 'csv'), 400, 'unknown_parameter'],
    [stranger.client.rest(list, { company_id: seed.company_id, format: 'csv' }), 404, 'company_not_found'],
    [fixture.client.rest(list, { ...idsOf(list), format: 'csv' }, { key: null }), 401, 'missing_credentials'],
  ];
  for (const [response, status, code] of rejections) {
    const { status: got, problem, headers } = await response;
    expect([got, problem.code]).toEqual([status, code]);
    expect(headers['content-type']).toMatch('application/problem+json');
    expect(headers['content-disposition']).toBeUndefined();
  }
});

test('over tRPC a list has pages only, and rejects a format', async () => {
  const { status, problem } = await fixture.client.trpc(list, { ...idsOf(list), format: 'csv', limit: 1 });
  expect([status, problem.code]).toEqual([400, 'unknown_parameter']);
});

const largeCompany = (name: string, count: number): Promise<string> =>
  seedTransactions(fixture, { name, count, characters: 2000 });

const fileUrl = (company_id: string, order: string): string =>
  `${fixture.url}/api/v1/companies/${company_id}/bank/transactions?format=ndjson&order=${order}`;
const pagesRead = (): number => statements.filter((sql) => sql.includes('FROM bank_transaction')).length;

test('a reader that pauses pauses the export, which then holds no connection of the pool', async () => {
  const company_id = large;
  statements.length = 0;
  const stream = await openStream(fileUrl(company_id, 'asc'), fixture.apiKey);
  await stream.nextLine();
  // The export fills the buffers of the sockets, then pauses.
  let before = -1;
  await vi.waitFor(
    () => {
      const now = pagesRead();
      const stands = now === before;
      before = now;
      if (!stands) throw new Error('Pages are still being read.');
    },
    { interval: 100, timeout: 10_000 },
  );
  const standing = pagesRead();
  expect(standing).toBeLessThan(40);
  // Vacuum and background writes end; the export waits for its reader.
  const busy = () =>
    fixture.elsewhere.database.owner.query(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND backend_type = 'client backend' AND (state <> 'idle' OR xact_start IS NOT NULL)`,
    );
  await expect.poll(busy).toEqual([]);
  expect(await stream.rest()).toHaveLength(LARGE - 1);
  expect(pagesRead()).toBeGreaterThan(standing + 10);
});

test('a reader that disconnects ends the export and releases its slot', async () => {
  const company_id = large;
  statements.length = 0;
  const stream = await openStream(fileUrl(company_id, 'asc'), fixture.apiKey);
  await stream.nextLine();
  stream.destroy();
  await vi.waitFor(() => {
    const line = fixture.logLines.findLast((text) => text.includes(`${company_id}/bank/transactions`));
    expect(line).toContain('"cut_off":true');
  }, patience);
  const read = pagesRead();
  await asFile(list, 'csv');
  expect(read).toBeLessThan(40);
  expect(pagesRead() - read).toBeLessThanOrEqual(3);
  expect(fixture.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('an export ends when its key is revoked', async () => {
  const company_id = large;
  const key = (await fixture.client.rest(operations.apiKeys.create, { name: 'Short', scope: 'read' })).body;
  const stream = await openStream(fileUrl(company_id, 'asc'), key.key);
  await stream.nextLine();
  await fixture.client.rest(operations.apiKeys.revoke, { key_id: key.id });
  const other = fixture.client.as(key.key);
  expect((await untilRejected(() => other.rest(operations.me.get))).status).toBe(401);
  await expect(stream.rest()).rejects.toThrow('aborted');
});

test('an export that fails is cut off, so that half a file does not look complete', async () => {
  const company_id = large;
  const stream = await openStream(fileUrl(company_id, 'asc'), fixture.apiKey);
  await stream.nextLine();
  await withClient(fixture.databaseUrl, async (database) => {
    await database.query('ALTER TABLE bank_transaction RENAME TO away');
    await expect(stream.rest()).rejects.toThrow('aborted');
    await database.query('ALTER TABLE away RENAME TO bank_transaction');
  });
  expect(stream.response.complete).toBe(false);
  const errors = fixture.logLines.filter((line) => line.includes('"level":"error"'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('bank_transaction');
});
