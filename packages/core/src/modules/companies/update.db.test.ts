// Risk: a company is changed or dissolved with no event or with two, or rows are stored after its dissolution.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { useRawClient } from '../../../test/raw-client.ts';
import { readFeed } from '../../../test/read-all.ts';
import { readAudits } from '../../../test/read-audits.ts';
import { changesBetween, readTables } from '../../../test/table-state.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import { ingestTransactions } from '../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../cash/balances/upsert.ts';
import { upsertSnapshot } from '../financials/statements/upsert.ts';
import { createCompany } from './create.ts';
import { getCompany } from './read.ts';
import { dissolveCompany, updateCompany } from './update.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
let context: Context;
let company_id: string;
beforeEach(async () => {
  ({ context } = await fixture.otherAccount());
  company_id = (
    await createCompany(context, {
      name: 'Acme',
      legal_name: 'Acme, Inc.',
      entity_type: 'c_corp',
      jurisdiction: 'US-DE',
      tax_id_last4: '0042',
      fiscal_year_end: '12-31',
      metadata: { a: '1', b: '2' },
    })
  ).id;
});

const updatesOf = async () =>
  (await readFeed(context, 'company.updated')).filter((event) => event.company_id === company_id);

test('null clears nullable fields only', async () => {
  const cleared = {
    legal_name: null,
    entity_type: null,
    jurisdiction: null,
    tax_id_last4: null,
    fiscal_year_end: null,
  };
  const record = await updateCompany(context, { company_id, ...cleared, metadata: null });
  expect(record).toMatchObject({ ...cleared, metadata: {}, name: 'Acme' });
});

test('a new time zone or currency changes the company and no stored row', async () => {
  await upsertCashBalance(context, { company_id, as_of: '2026-01-10', balance_cents: 1, currency: 'USD' });
  const posted_at = '2026-02-28T23:30:00Z';
  await ingestTransactions(context, { company_id, external_id: 'x', posted_at, amount_cents: 1 });
  const income = { statement_type: 'income' as const, period_start: '2026-01-01', period_end: '2026-01-31' };
  await upsertSnapshot(context, { company_id, ...income, currency: 'USD', totals: { revenue: 1 } });
  const before = await readTables(raw);
  await updateCompany(context, { company_id, timezone: 'Pacific/Auckland' });
  await updateCompany(context, { company_id, base_currency: 'JPY', timezone: 'America/Los_Angeles' });
  expect(changesBetween(before, await readTables(raw))).toEqual({ company: 0, audit_log: 2, event: 2 });
});

test('concurrent changes are in order in the feed: each has the value before it', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `Name ${i}`);
  await Promise.all(names.map((name) => updateCompany(context, { company_id, name })));
  let current: unknown = 'Acme';
  for (const { data } of await updatesOf()) {
    expect(data['previous']).toEqual({ name: current });
    current = data['name'];
  }
  expect((await getCompany(context, { company_id })).name).toBe(current);
});

const dissolutions = () => readFeed(context, 'company.dissolved');
const dissolutionAudits = () => readAudits(context, { company_id, action: 'companies.dissolve' }, 'before', 'after');

const ingests: Record<string, (n: number) => Promise<unknown>> = {
  'bank.balance.updated': (n) =>
    upsertCashBalance(context, { company_id, as_of: '2026-01-01', balance_cents: n, currency: 'USD' }),
  'bank.transaction.posted': (n) =>
    ingestTransactions(context, {
      company_id,
      external_id: `x${n}`,
      posted_at: '2026-01-01T00:00:00Z',
      amount_cents: n,
    }),
  'financial.snapshot.updated': (n) =>
    upsertSnapshot(context, {
      company_id,
      statement_type: 'balance',
      period_end: '2026-01-31',
      currency: 'USD',
      totals: { cash: n },
    }),
};

test('a company is dissolved once; the event has the time, reason and actor', async () => {
  const before = await getCompany(context, { company_id });
  const record = await dissolveCompany(context, { company_id, reason: 'Merged' });
  const at = record.updated_at;
  expect(record).toEqual({
    ...before,
    status: 'dissolved',
    dissolved_at: at,
    dissolution_reason: 'Merged',
    updated_at: at,
  });
  expect(await dissolveCompany(context, { company_id, reason: 'Another' })).toEqual(record);
  expect((await dissolutions()).map(({ data }) => data)).toEqual([{ ...record, dissolved_by: context.actor }]);
  expect(await dissolutionAudits()).toEqual([{ before, after: record }]);
});

test('posts concurrent with the dissolution are stored before it or rejected, never stored after it', async () => {
  const CLIENTS = 2;
  const BEFORE = 15;
  const stored = new Map(Object.keys(ingests).map((type) => [type, 0]));
  const others: unknown[] = [];
  const warm = Promise.withResolvers<void>();
  let sent = 0;
  const attempt = (act: () => Promise<unknown>): Promise<boolean> =>
    act().then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof DomainError) || error.code !== 'company_dissolved') others.push(error);
        return false;
      },
    );
  const send = async (type: string, post: (n: number) => Promise<unknown>): Promise<boolean> => {
    const isStored = await attempt(() => post(++sent));
    if (isStored) stored.set(type, (stored.get(type) ?? 0) + 1);
    if (Math.max(...stored.values()) >= BEFORE && Math.min(...stored.values()) > 0) warm.resolve();
    return isStored;
  };
  // Changes of the company run too: whoever waits for a changed row waits again.
  const rename = (): Promise<boolean> => attempt(() => updateCompany(context, { company_id, name: `Name ${++sent}` }));
  // A round ends before the next begins: shared locks overtake a waiting exclusive one for as long as they overlap.
  const post = async (): Promise<void> => {
    for (let isOpen = true; isOpen; ) {
      const posts = Object.entries(ingests).flatMap(([type, ingest]) =>
        Array.from({ length: CLIENTS }, () => send(type, ingest)),
      );
      isOpen = (await Promise.all([...posts, rename(), rename()])).includes(true);
    }
  };
  const posting = post();
  await warm.promise;
  await dissolveCompany(context, { company_id });
  await posting;
  expect(others).toEqual([]);
  const feed = (await readFeed(context)).filter((event) => event.company_id === company_id);
  expect(feed.at(-1)?.type).toBe('company.dissolved');
  for (const [type, count] of stored) {
    expect(count).toBeGreaterThan(0);
    expect(feed.filter((event) => event.type === type)).toHaveLength(count);
  }
  const [rows] = await context.database.query<{ found: number }>(
    'SELECT count(*)::int AS found FROM bank_transaction WHERE company_id = $1',
    [company_id],
  );
  expect(rows?.found).toBe(stored.get('bank.transaction.posted'));
});
