// Risk: an import stores rows twice, sends what is stored already, or stops at an error that passes.
import type { PlannedRequest } from '@finhook/bank-files';
import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { type ImportApi, type ImportRun, type Outcome, runImport } from './import-run.ts';

const row = {
  line: 2,
  external_id: 'a',
  posted_at: '2026-01-01T12:00:00Z',
  amount_cents: 5,
  currency: 'EUR',
  description: 'Rent',
};
const rest = { source: 'file:csv', connection_id: null };
const { line: _line, ...sent } = { ...row, ...rest };
const rows: PlannedRequest = {
  kind: 'transactions',
  idempotencyKey: 'key-1',
  rows: [{ ...row, ...rest }],
  body: { transactions: [sent] },
};
const balance: PlannedRequest = {
  kind: 'balance',
  idempotencyKey: 'key-2',
  body: { as_of: '2026-01-01', balance_cents: 5, currency: 'EUR', ...rest },
};

function problem(status: number, errors?: unknown): Error {
  const detail = { status, code: 'code', title: 'Title', detail: 'Detail.', retryable: status >= 429, errors };
  return TRPCClientError.from({ error: { message: 'Detail.', code: -32_603, data: { problem: detail } } });
}

const stored = {
  inserted: 1,
  skipped: 0,
  failed: 0,
  errors: [],
  skipped_transactions: [],
  warnings: [{ code: 'future', pointer: '/transactions/0/posted_at', message: 'It is in the future.' }],
};

function fakeApi(ingest: () => object = () => stored, upsert: () => object = () => ({ result: 'created' })) {
  const calls: Array<readonly [input: object, key: string | undefined]> = [];
  const call =
    (respond: () => object) =>
    async (input: object, key?: string): Promise<object> => {
      calls.push([input, key]);
      return respond();
    };
  return { calls, api: { ingest: call(ingest), upsert: call(upsert) } as unknown as ImportApi };
}

function runOf(api: ImportApi, more: Partial<ImportRun> = {}) {
  const waits: number[] = [];
  const run: ImportRun = {
    id: 'run-1',
    companyId: 'co_1',
    count: 2,
    request: async (index) => (index === 0 ? rows : balance),
    api,
    withoutBalances: false,
    outcomes: [],
    onProgress: () => undefined,
    wait: async (ms) => void waits.push(ms),
    signal: new AbortController().signal,
    ...more,
  };
  return { run, waits };
}

const duplicate: Outcome = {
  kind: 'transactions',
  inserted: 0,
  known: 1,
  invalid: 0,
  faults: [],
  duplicates: [],
  totals: [],
  warnings: [],
  isComplete: true,
};

test('a dry run sends no key, and the import one that names the run', async () => {
  const { api, calls } = fakeApi();
  const checked = await runImport(runOf(api).run);
  expect(calls).toEqual([
    [{ company_id: 'co_1', on_error: 'skip', dry_run: true, transactions: [sent] }, undefined],
    [{ company_id: 'co_1', dry_run: true, ...balance.body }, undefined],
  ]);
  expect(checked).toMatchObject([
    { inserted: 1, warnings: ['Line 2: It is in the future.'] },
    { kind: 'balance', result: 'created' },
  ]);
  calls.length = 0;
  await runImport(runOf(api, { checked }).run);
  expect(calls.map(([, key]) => key)).toEqual(['run-1-key-1', 'run-1-key-2']);
  expect(calls[0]?.[0]).not.toHaveProperty('dry_run');
});

test('what is stored already is not sent again', async () => {
  const { api, calls } = fakeApi();
  const checked: Outcome[] = [duplicate, { kind: 'balance', day: '2026-01-01', result: 'unchanged' }];
  expect(await runImport(runOf(api, { checked }).run)).toEqual(checked);
  expect(calls).toEqual([]);
});

test('a request whose dry run did not list all of its invalid rows is sent for them', async () => {
  const fault = (index: number) => ({
    index,
    pointer: `/transactions/${index}/posted_at`,
    code: 'invalid',
    message: 'x',
  });
  const { api, calls } = fakeApi(() => ({ ...stored, inserted: 0, failed: 1, errors: [fault(0)] }));
  const checked: Outcome[] = [{ ...duplicate, invalid: 1, isComplete: false }, { kind: 'left-out' }];
  const outcomes = await runImport(runOf(api, { checked }).run);
  expect(outcomes).toMatchObject([{ inserted: 0, invalid: 1, isComplete: true }, { kind: 'left-out' }]);
  expect(calls).toHaveLength(1);
});

test('a rate limit and a failing service are waited for; another error ends the run, which goes on from there', async () => {
  const errors = [problem(429), problem(503), new Error('fetch failed')];
  let isBroken = true;
  const { api, calls } = fakeApi(
    () => {
      const error = errors.shift();
      if (error) throw error;
      return stored;
    },
    () => {
      if (isBroken) throw problem(409);
      return { result: 'created' };
    },
  );
  const { run, waits } = runOf(api);
  await expect(runImport(run)).rejects.toThrow('Detail.');
  expect(waits).toEqual([5_000, 2_000, 4_000]);
  expect(run.outcomes).toHaveLength(1);
  isBroken = false;
  expect(await runImport(run)).toHaveLength(2);
  expect(calls).toHaveLength(6);
});

test('a rejected balance is reported beside the others, and none is sent without the permission', async () => {
  const invalid = problem(422, [{ pointer: '/as_of', code: 'out_of_range', message: 'is too early' }]);
  const { api, calls } = fakeApi(undefined, () => {
    throw invalid;
  });
  const rejected = { kind: 'balance', day: '2026-01-01', result: 'rejected', reason: 'as_of is too early' };
  expect((await runImport(runOf(api).run))[1]).toEqual(rejected);
  calls.length = 0;
  expect((await runImport(runOf(api, { withoutBalances: true }).run))[1]).toEqual({ kind: 'left-out' });
  expect(calls).toHaveLength(1);
});

test('an import that is left stops before the next request', async () => {
  const leave = new AbortController();
  const { api, calls } = fakeApi(() => {
    leave.abort();
    return stored;
  });
  await expect(runImport(runOf(api, { signal: leave.signal }).run)).rejects.toThrow('aborted');
  expect(calls).toHaveLength(1);
});
