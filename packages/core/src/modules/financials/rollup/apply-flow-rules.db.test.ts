// Risk: rules are never applied, because the sums of another company fail or are slow.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { createCompany } from '../../companies/create.ts';
import { getBurn } from '../figures/get-figures.ts';
import { updateSettings } from '../figures/settings.ts';
import { applyFlowRules } from './apply-flow-rules.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const raw = useRawClient(fixture);
const { context } = fixture;

/** A company whose sums use earlier rules than its settings. */
async function outdated(name: string, rows = 1): Promise<string> {
  clock.advance(1_000);
  const { id: company_id } = await createCompany(context, { name, timezone: 'UTC' });
  const transactions = Array.from({ length: rows }, (_, i) => ({
    external_id: `t${i}`,
    posted_at: '2026-10-10T12:00:00Z',
    amount_cents: -1_00,
    currency: 'USD',
  }));
  await ingestTransactions(context, { company_id, transactions });
  await getBurn(context, { company_id });
  await updateSettings(context, { company_id, flow_rules: [{ contains: 'rent', flow_class: 'excluded' }] });
  return company_id;
}
const isApplied = async (company_id: string) => (await getBurn(context, { company_id })).rules_applied_at !== null;

test('companies whose sums fail keep no other one out', async () => {
  const failing: string[] = [];
  for (let i = 0; i < 25; i++) failing.push(await outdated(`Failing ${i} Inc`));
  const last = await outdated('Last Inc', 3);
  await raw.query("UPDATE company SET timezone = 'Nowhere' WHERE id = ANY ($1)", [failing]);
  await expect(applyFlowRules(fixture.core)).rejects.toThrow('25 of 26 failed');
  expect(await isApplied(last)).toBe(true);
  await raw.query("UPDATE company SET timezone = 'UTC' WHERE id = ANY ($1)", [failing]);
  expect(await applyFlowRules(fixture.core)).toBe(25);
});

test('companies with few transactions do not wait for one with many', async () => {
  const large = await outdated('Large Inc', 50);
  const small = await outdated('Small Inc');
  await raw.query('BEGIN');
  await raw.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`transaction_rollup|${large}`]);
  const applied = applyFlowRules(fixture.core);
  await waitForBlocked(raw);
  expect(await isApplied(small)).toBe(true);
  await raw.query('COMMIT');
  expect(await applied).toBe(2);
  expect(await isApplied(large)).toBe(true);
});
