// Risk: a rule classifies other rows than it names, or figures mix sums of old rules with rows of new ones.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { changeRows } from '../../../../test/change-rows.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import { runOperation } from '../../../../test/operation-stage.ts';
import { figuresOf } from '../../../../test/recompute-runway.ts';
import { recomputeStored } from '../../../../test/recompute-stored.ts';
import { createRowMapper, type TestRow } from '../../../../test/test-rows.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { applyFlowRules } from '../rollup/apply-flow-rules.ts';
import { getBurn, getMonthly, getRunway } from './get-figures.ts';
import { getSettings, updateSettings } from './settings.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const started: string[] = [];
const { context } = fixture;
/** The context of a request, whose jobs are collected. */
const acting = () => ({
  ...context,
  jobs: { ...context.jobs, startMaintenance: (task: string) => void started.push(task) },
});
let company_id: string;
beforeEach(async () => {
  clock.set('2026-11-25T15:00:00Z');
  started.length = 0;
  company_id = (await createCompany(context, { name: 'Rules Inc', timezone: 'UTC' })).id;
});

type Row = Omit<TestRow, 'day'> & { day?: string };
const toTransactions = createRowMapper();
const post = (rows: readonly Row[]) => {
  const transactions = toTransactions(rows.map((row) => ({ day: '2026-10-10', ...row })));
  return ingestTransactions(context, { company_id, transactions });
};
type Rules = NonNullable<Parameters<typeof updateSettings>[1]['flow_rules']>;
const setRules = (...flow_rules: Rules) => updateSettings(acting(), { company_id, flow_rules });
async function flows(month = '2026-10') {
  const found = (await getMonthly(context, { company_id, months: 6 })).months.find((one) => one.month === month);
  const [flow] = found?.flows ?? [];
  return flow && [flow.money_in_cents, flow.money_out_cents];
}
async function agrees() {
  await upsertCashBalance(context, { company_id, as_of: '2026-11-25', balance_cents: 1, currency: 'USD' });
  const { lines } = await getRunway(context, { company_id });
  expect(lines.map(figuresOf)).toEqual(await recomputeStored(context, company_id));
}

test('a rule decides rows that contain its text, however that is spaced, and no other ones', async () => {
  await setRules({ contains: 'brex card', direction: 'out', flow_class: 'transfer' });
  await post([
    { amount: -15_000, description: 'ACH  BREX CARD PMT' },
    { amount: -14_000, description: 'BREXIT LEGAL' },
    { amount: 3_000, description: 'Brex card refund' },
  ]);
  expect(await flows()).toEqual([3_000_00, 14_000_00]);
});

test.each([
  ['in its category', { category: 'Brex Card' }],
  ['in its counterparty', { counterparty: 'BREX  CARD Inc' }],
  ['in compatibility letters', { description: 'ＢＲＥＸ\u00a0ＣＡＲＤ' }],
  ['over two fields', { counterparty: 'pay brex', description: 'card 12' }],
  ['over a tab and a line', { description: 'brex \t\n card' }],
])('the text of a rule is found %s', async (_, texts) => {
  await setRules({ contains: '  Brex   CARD ', flow_class: 'excluded' });
  await post([{ amount: -15_000, ...texts }, { amount: -1 }]);
  expect(await flows()).toEqual([0, 1_00]);
});

test.each([
  ['Ünïted Überweisung', 'ÜNÏTED ÜBER'],
  ['ΣΊΣΥΦΟΣ payment', 'σίσυφοσ'],
  ['Оплата КАРТЫ', 'карты'],
])('capitals of other scripts are compared as small letters: %s', async (description, contains) => {
  await setRules({ contains, flow_class: 'excluded' });
  await post([{ amount: -15_000, description }, { amount: -1 }]);
  expect(await flows()).toEqual([0, 1_00]);
});

test.each(['a.b*c', '(x) [y]', '$5 | ^', 'c:\\\\d+', '1-2-3', '{2,3}?', '%_%', '€ ü_'])(
  'signs in the text of a rule are no pattern: %s',
  async (contains) => {
    await setRules({ contains, flow_class: 'excluded' }, { contains: 'another one', flow_class: 'excluded' });
    await post([
      { amount: -100, description: `about ${contains} of it` },
      { amount: -20, description: 'aabbc x y 5 cd 123 2 üü' },
      { amount: -3, description: 'Another  one' },
    ]);
    expect(await flows()).toEqual([0, 20_00]);
  },
);

test('the first rule that applies decides, a person before it, and categories after it', async () => {
  await setRules(
    { contains: 'acme', direction: 'in', flow_class: 'financing' },
    { contains: 'acme corp', flow_class: 'transfer' },
    { contains: 'internal_transfer', flow_class: 'counted' },
  );
  await post([
    { amount: 700, counterparty: 'Acme Corp' },
    { amount: -600, counterparty: 'Acme Corp' },
    { amount: -500, category: 'internal_transfer' },
    { id: 'lunch', amount: -40, counterparty: 'Acme Corp', description: 'lunch' },
  ]);
  expect(await flows()).toEqual([0, 500_00]);
  await changeRows(context, company_id, ['lunch'], { flow_class: 'counted' });
  expect(await flows()).toEqual([0, 540_00]);
  await agrees();
});

test('a rule keeps rows out of pairs and large inflows, or makes them a transfer', async () => {
  const months = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];
  await setRules(
    { contains: 'client money', flow_class: 'counted' },
    { contains: 'to treasury', flow_class: 'transfer' },
  );
  await post([
    ...months.map((month) => ({ day: `${month}-05`, amount: -4_000 })),
    { amount: -900, description: 'client money' },
    { amount: 900, account: 'savings' },
    { amount: 50_000, day: '2026-10-12', description: 'Client Money prepaid' },
    { amount: -300, day: '2026-10-13', description: 'to treasury' },
    { amount: 300, day: '2026-10-14', account: 'savings' },
  ]);
  expect(await flows()).toEqual([50_900_00, 4_900_00]);
  await agrees();
});

/** The time since which each figure follows the rules. */
const appliedAt = async () => {
  const records = await Promise.all([
    getBurn(context, { company_id }),
    getRunway(context, { company_id }),
    getMonthly(context, { company_id, months: 3 }),
    runOperation(context, operations.financials.breakdown, { company_id }),
  ]);
  return records.map(({ rules_applied_at }) => rules_applied_at);
};

test('figures follow the earlier rules, for old rows as for new ones, until the sums are made again', async () => {
  await post([
    { amount: -100, description: 'rent' },
    { amount: -20, description: 'loan' },
  ]);
  await post([{ day: '2026-11-28', amount: -7, description: 'rent' }]);
  expect(await flows()).toEqual([0, 120_00]);
  expect(await appliedAt()).toEqual([null, null, null, null]);
  expect(await setRules({ contains: 'rent', flow_class: 'excluded' })).toMatchObject({ rules_applied_at: null });
  expect(started).toEqual(['flow-rules']);
  await post([{ amount: -3, description: 'rent' }]);
  clock.advance(60_000);
  expect(await flows()).toEqual([0, 123_00]);
  expect(await appliedAt()).toEqual([null, null, null, null]);
  expect(await applyFlowRules(fixture.core)).toBe(1);
  expect(await applyFlowRules(fixture.core)).toBe(0);
  expect(await flows()).toEqual([0, 20_00]);
  const applied = { rules_applied_at: '2026-11-25T15:01:00.000Z' };
  expect(new Set(await appliedAt())).toEqual(new Set([applied.rules_applied_at]));
  expect(await getSettings(context, { company_id })).toMatchObject(applied);
  await post([
    { amount: -4, description: 'rent' },
    { amount: -5, description: 'loan' },
  ]);
  expect(await flows()).toEqual([0, 25_00]);
  clock.set('2026-11-28T15:00:00Z');
  expect(await flows('2026-11')).toEqual([0, 0]);
  expect(await getBurn(context, { company_id })).toMatchObject(applied);
  await setRules();
  expect(await applyFlowRules(fixture.core)).toBe(1);
  expect(await flows()).toEqual([0, 132_00]);
  await agrees();
});

test('a change of other settings sums nothing again, nor do the same rules', async () => {
  const rule = { contains: 'rent', flow_class: 'excluded' } as const;
  await setRules(rule);
  await post([{ amount: -100, description: 'rent' }]);
  expect(await flows()).toEqual([0, 0]);
  started.length = 0;
  await setRules({ ...rule, direction: null });
  await updateSettings(acting(), { company_id, excluded_connections: ['x'] });
  expect(started).toEqual([]);
  expect(await applyFlowRules(fixture.core)).toBe(0);
});

test.each([
  ['ab', false],
  ['abc', true],
  ['  ab  ', false],
  [`${'x'.repeat(50)}   ${'y'.repeat(49)}`, true],
  ['x'.repeat(101), false],
  ['㍿', true],
  ['ﷺﷺﷺﷺﷺﷺ', false],
])('of a rule’s text the length counts that is compared: %j', (contains, expected) => {
  const input = { company_id: 'co_x', flow_rules: [{ contains, flow_class: 'counted' }] };
  const { error } = operations.financials.settings.update.input.safeParse(input);
  const pointers = error?.issues.map(({ path }) => path.join('/')) ?? [];
  expect(!pointers.includes('flow_rules/0/contains')).toBe(expected);
});
