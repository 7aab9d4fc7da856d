// Risk: a change is told wrongly or twice, moves rows that it must not touch, or reaches a company out of reach.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { useRawClient } from '../../../test/raw-client.ts';
import { readFeed } from '../../../test/read-all.ts';
import { readAudits } from '../../../test/read-audits.ts';
import { changesBetween, readTables } from '../../../test/table-state.ts';
import type { Context } from '../../kernel/context.ts';
import { ingestTransactions } from '../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../cash/balances/upsert.ts';
import { upsertSnapshot } from '../financials/statements/upsert.ts';
import { createCompany } from './create.ts';
import { getCompany } from './read.ts';
import { updateCompany } from './update.ts';

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
const audits = () => readAudits(context, { company_id, action: 'companies.update' }, 'before', 'after');

test('every field can be changed; event and audit row tell what it was and what it is', async () => {
  const before = await getCompany(context, { company_id });
  const changes = {
    name: 'Acme Two',
    legal_name: 'Acme Two, Inc.',
    entity_type: 's_corp' as const,
    country: 'DE',
    jurisdiction: 'DE-BE',
    tax_id_last4: '4200',
    base_currency: 'eur',
    timezone: 'Europe/Berlin',
    fiscal_year_end: '06-30',
    wire_approval_threshold_cents: 0,
    metadata: { c: '3' },
  };
  const record = await updateCompany(context, { company_id, ...changes });
  expect(record).toEqual({ ...before, ...changes, base_currency: 'EUR', updated_at: record.updated_at });
  expect(record.updated_at > before.updated_at).toBe(true);
  expect(await getCompany(context, { company_id })).toEqual(record);
  const [event, ...more] = await updatesOf();
  expect(more).toEqual([]);
  const fields = Object.keys(changes);
  const { changed, previous, ...data } = Object(event?.data);
  expect(data).toEqual(record);
  expect(changed.toSorted()).toEqual(fields.toSorted());
  expect(previous).toEqual(Object.fromEntries(fields.map((field) => [field, Reflect.get(before, field)])));
  expect(await audits()).toEqual([{ before, after: record }]);
});

test('null clears what a company may be without, and only that', async () => {
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

test('what changes nothing is answered and leaves neither event nor audit row', async () => {
  const before = await getCompany(context, { company_id });
  const { name, country, timezone, wire_approval_threshold_cents } = before;
  for (const input of [
    {},
    { name, country, timezone, wire_approval_threshold_cents },
    { base_currency: 'usd' },
    { metadata: { b: '2', a: '1' } },
    { status: 'active' as const },
  ])
    expect(await updateCompany(context, { company_id, ...input })).toEqual(before);
  expect([await updatesOf(), await audits()]).toEqual([[], []]);
});

test('C35: a new time zone or currency changes the company and no stored row', async () => {
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

test('changes made at once follow each other in the feed: each tells the value before it', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `Name ${i}`);
  await Promise.all(names.map((name) => updateCompany(context, { company_id, name })));
  let current: unknown = 'Acme';
  for (const { data } of await updatesOf()) {
    expect(data['previous']).toEqual({ name: current });
    current = data['name'];
  }
  expect((await getCompany(context, { company_id })).name).toBe(current);
});
