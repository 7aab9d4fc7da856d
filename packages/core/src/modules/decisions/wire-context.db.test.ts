// Risk: a person approves a wire to a changed account, because the context left out what is known about the beneficiary.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { createStage, type Input, type Stage } from '../../../test/operation-stage.ts';

const clock = createTestClock('2026-11-26T12:00:00.000Z');
const fixture = useFixture(clock);
const { agentApprovals, agentFlags, bank, cash } = operations;
let given: AgentFixture;
let stage: Stage;
beforeEach(async () => {
  clock.advance(1_000);
  given = await openAgent(fixture);
  stage = createStage(given.context, given.company_id);
});

const wire = (account_last4: string, input: Input = {}) => {
  const beneficiary = { name: 'Example Machines Ltd', account_last4 };
  clock.advance(1_000);
  return stage.run(bank.wires.create, { company_id: given.company_id, beneficiary, ...input });
};
const approved = async (account_last4: string, input: Input = {}) => {
  const { id } = await wire(account_last4, input);
  return stage.runAsOther(bank.approvals.decide, { approval_id: id });
};
const contextOf = ({ id }: { id: string }) => stage.run(bank.approvals.context, { approval_id: id });
const pay = (...rows: Input[]) =>
  stage.run(bank.transactions.ingest, {
    company_id: given.company_id,
    transactions: rows.map((row, i) => ({
      external_id: `t${i}`,
      posted_at: `2026-10-0${i + 1}T12:00:00Z`,
      counterparty: 'Example Machines Ltd',
      currency: 'USD',
      ...row,
    })),
  });
const ask = (title: string, input: Input = {}) =>
  stage.run(agentApprovals.request, { ...given.place, title, ...input });
const flag = (title: string, input: Input = {}) =>
  stage.run(agentFlags.create, { ...given.place, title, severity: 'critical', ...input });

test('the context of a first payment has zeros, nulls and empty lists', async () => {
  const first = await wire('4321');
  expect(await contextOf(first)).toEqual({
    object: 'wire_context',
    approval_id: first.id,
    company_id: given.company_id,
    payments: { count: 0, median_cents: null, amount_to_median: null, last_paid_at: null, read_from: null },
    account: { account_last4: '4321', approved_wires: 0, last_approved_at: null },
    other_accounts: [],
    agent_requests: [],
    critical_flags: [],
    paying_account: null,
  });
});

test('payments are those to the name in any case, in the currency of the wire, before it, and not voided', async () => {
  const { transactions } = await pay(
    { amount_cents: -1_000 },
    { amount_cents: -4_000, counterparty: '  example   MACHINES ltd' },
    { amount_cents: -2_001 },
    { amount_cents: -3_000 },
    { amount_cents: 900 },
    { amount_cents: -900, currency: 'EUR' },
    { amount_cents: -900, counterparty: 'Example Machines Ltd 2' },
    { amount_cents: -900, external_id: 'void' },
    { amount_cents: -900, posted_at: '2026-11-27T12:00:00Z' },
  );
  const transaction_id = transactions.find(({ external_id }) => external_id === 'void')?.id;
  await stage.run(bank.transactions.update, { company_id: given.company_id, transaction_id, voided: true });
  const { payments } = await contextOf(await wire('4321', { amount_cents: 25_000 }));
  expect(payments).toEqual({
    count: 4,
    // Of 2,001 and 3,000.
    median_cents: 2_500,
    amount_to_median: 10,
    last_paid_at: '2026-10-04T12:00:00.000Z',
    read_from: null,
  });
});

test('an account counts as paid once an earlier wire to it was approved, also at once below the threshold', async () => {
  const known = await approved('1111');
  const atOnce = await wire('1111', { amount_cents: 1 });
  const last = await approved('2222', { beneficiary: { name: 'EXAMPLE machines ltd', account_last4: '2222' } });
  await wire('3333');
  await approved('4444', { beneficiary: { name: 'Another', account_last4: '4444' } });
  const again = await contextOf(await wire('1111'));
  expect(again.account).toEqual({
    account_last4: '1111',
    approved_wires: 2,
    last_approved_at: atOnce.decided_at,
  });
  expect(again.other_accounts).toEqual([
    { account_last4: '2222', approved_wires: 1, last_approved_at: last.decided_at },
  ]);
  const changed = await contextOf(await wire('9999'));
  expect([changed.account.approved_wires, changed.other_accounts.map((one) => one.account_last4)]).toEqual([
    0,
    ['2222', '1111'],
  ]);
  // What came later is not in the context of an earlier wire.
  expect((await contextOf(known)).other_accounts).toEqual([]);
});

test('pending requests and open critical flags that name the beneficiary are in the context, and no others', async () => {
  const change = await ask('Change bank details', { payload: { vendor: 'Example Machines Ltd' } });
  await ask('Another vendor');
  const withdrawn = await ask('example machines ltd moved');
  await stage.run(agentApprovals.cancel, { agent_approval_id: withdrawn.id });
  const { id } = await flag('Wrong account of example machines ltd');
  const ofAgent = await flag('Reads mails of strangers');
  await flag('Example Machines Ltd is slow', { severity: 'warning' });
  const found = await contextOf(await wire('4321'));
  expect(found.agent_requests).toMatchObject([{ kind: 'agent_request', id: change.id, title: 'Change bank details' }]);
  expect(found.critical_flags.map((one) => one.id)).toEqual([ofAgent.id, id]);
  await stage.run(agentApprovals.cancel, { agent_approval_id: change.id });
  const later = await contextOf(await wire('4321'));
  expect([later.agent_requests, later.critical_flags.map((one) => one.id)]).toEqual([[], [id]]);
});

test('the paying account has its newest balance in the currency of the wire, less the wire', async () => {
  const balance = { company_id: given.company_id, as_of: '2026-11-25', connection_id: 'operating' };
  await stage.run(cash.balances.upsert, { ...balance, balance_cents: 30_000 });
  const from = { connection_id: 'operating', amount_cents: 45_000 };
  expect((await contextOf(await wire('4321', from))).paying_account).toEqual({
    connection_id: 'operating',
    currency: 'USD',
    as_of: '2026-11-25',
    balance_cents: 30_000,
    after_cents: -15_000,
  });
  expect((await contextOf(await wire('4321', { ...from, currency: 'EUR' }))).paying_account).toBeNull();
  expect((await contextOf(await wire('4321', { ...from, connection_id: 'other' }))).paying_account).toBeNull();
});

test('a wire of another account is not found', async () => {
  const { id } = await wire('4321');
  const stranger = createStage((await fixture.otherAccount()).context, given.company_id);
  await expect(stranger.run(bank.approvals.context, { approval_id: id })).rejects.toMatchObject({ code: 'not_found' });
});
