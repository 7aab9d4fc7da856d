// Risk: revenue growth uses another company or a replaced statement, or reveals data to a provider.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import type { Context } from '../../../verbs/context.ts';
import { createCompany } from '../../companies/create.ts';
import { getEvent } from '../../events/read.ts';
import { getSnapshot, listSnapshots } from './read.ts';
import { upsertSnapshot } from './upsert.ts';

const fixture = useFixture();
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Growing Inc' })).id;
});

const lastDays: Readonly<Record<string, string>> = { '2025-08': '31', '2025-09': '30', '2025-10': '31' };
const post = (month: string, revenue: number, caller: Context = context, id = company_id) =>
  upsertSnapshot(caller, {
    company_id: id,
    statement_type: 'income',
    period_start: `${month}-01`,
    period_end: `${month}-${lastDays[month]}`,
    currency: 'USD',
    totals: { gross_profit: revenue / 2 },
    line_items: [
      { key: 'rent', label: 'Rent', amount_cents: -1 },
      { key: 'revenue', label: 'Licences', amount_cents: revenue / 2 },
      { key: 'revenue', label: 'Services', amount_cents: revenue / 2 },
    ],
  });

test('revenue is compared with the month before, wherever the statement is returned', async () => {
  await post('2025-09', 80);
  const october = await post('2025-10', 90);
  const derived = { gross_margin_percent: 50, revenue_change_percent: 12.5 };
  expect(october.derived).toEqual(derived);
  expect((await getEvent(context, { event_id: october.event_id })).data['derived']).toEqual(derived);
  const read = () => getSnapshot(context, { company_id, snapshot_id: october.id });
  expect((await read()).derived).toEqual(derived);
  const { data } = await listSnapshots(context, { company_id, limit: 9, order: 'desc' });
  expect(data.map((snapshot) => snapshot.derived?.revenue_change_percent)).toEqual([12.5, null]);
  await post('2025-09', 60);
  expect((await read()).derived?.revenue_change_percent).toBe(50);
});

test('a month that is missing before, another company and another statement are no comparison', async () => {
  await post('2025-08', 80);
  await post('2025-09', 80, context, fixture.companyId);
  const period = { period_start: '2025-09-01', period_end: '2025-09-30' };
  const sheet = {
    company_id,
    ...period,
    statement_type: 'cashflow' as const,
    currency: 'USD',
    totals: { revenue: 80 },
  };
  expect((await upsertSnapshot(context, sheet)).derived).toBeNull();
  expect((await post('2025-10', 90)).derived?.revenue_change_percent).toBeNull();
});

test('the response to an ingest key has no growth, which the event has', async () => {
  await post('2025-09', 80);
  const provider: Context = { ...context, scope: 'ingest', access: { ingest: { originId: 'key_provider' } } };
  const { derived, event_id } = await post('2025-10', 90, provider);
  expect(derived).toEqual({ gross_margin_percent: 50, revenue_change_percent: null });
  expect((await getEvent(context, { event_id })).data['derived']).toMatchObject({ revenue_change_percent: 12.5 });
});
