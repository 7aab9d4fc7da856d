// Risk: a large wire is approved by nobody else, or decided twice, by its requester or too late.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { atOnce } from '../../../../test/at-once.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import { changesBetween, readTables } from '../../../../test/table-state.ts';
import type { Context } from '../../../verbs/context.ts';
import { createCompany } from '../../companies/create.ts';
import { dissolveCompany, updateCompany } from '../../companies/update.ts';
import { createConnection } from '../connections/create.ts';
import { getBankApproval, listBankApprovals } from './approval.ts';
import { createWire } from './create.ts';
import { cancelBankApproval, decideBankApproval, expireBankApprovals } from './decide.ts';

const HOUR = 3_600_000;

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
const raw = useRawClient(fixture);
let requester: Context;
let reviewer: Context;
let second: Context;
let company_id: string;
beforeEach(async () => {
  const { context } = await fixture.otherAccount();
  [requester, reviewer, second] = [person('key_requester'), person('key_reviewer'), person('key_second')];

  function person(id: string): Context {
    return { ...context, keyId: id, personId: id, actor: { type: 'api_key', id, name: id } };
  }
  company_id = (await createCompany(context, { name: 'Acme', wire_approval_threshold_cents: 1000 })).id;
});

const beneficiary = { name: 'Example Ltd', account_last4: '0042' };
const wire = (amount_cents = 1000, currency = 'USD', context = requester) =>
  createWire(context, { company_id, amount_cents, currency, beneficiary });
const decide = (context: Context, approval_id: string, decision: 'approve' | 'reject' = 'approve', comment?: string) =>
  decideBankApproval(context, { approval_id, decision, ...(comment === undefined ? {} : { comment }) });
const cancel = (context: Context, approval_id: string) => cancelBankApproval(context, { approval_id });
const read = (approval_id: string) => getBankApproval(requester, { approval_id });
const requiredEvents = () => readFeed(requester, 'bank.approval.required');
const auditsOf = (id: string) => readAudits(requester, { resource_id: id }, 'action', 'actor', 'before', 'after');
const askForTwo = (id: string) => raw.query('UPDATE bank_approval SET required_approvals = 2 WHERE id = $1', [id]);

test('a wire below the threshold is approved at once, without an event; one in another currency always waits', async () => {
  const small = await wire(999);
  expect(small).toMatchObject({
    status: 'approved',
    required_approvals: 0,
    reviews: [],
    decided_at: small.created_at,
    beneficiary: { bank_name: null, country: null },
  });
  expect(await requiredEvents()).toEqual([]);
  expect(await auditsOf(small.id)).toHaveLength(1);
  expect((await wire(1, 'JPY')).status).toBe('pending');
  expect((await wire(Number.MAX_SAFE_INTEGER)).amount_cents).toBe(Number.MAX_SAFE_INTEGER);
  await updateCompany(requester, { company_id, wire_approval_threshold_cents: 0 });
  expect((await wire(1)).status).toBe('pending');
});

test('a connection_id of a registered connection must belong to the company', async () => {
  const sibling = await createCompany(requester, { name: 'Sibling' });
  const siblings = (await createConnection(requester, { company_id: sibling.id, provider: 'ledger' })).id;
  for (const connection_id of ['conn_x', siblings]) {
    const rejected = createWire(requester, {
      company_id,
      amount_cents: 1,
      currency: 'USD',
      beneficiary,
      connection_id,
    });
    await expect(rejected).rejects.toMatchObject({
      fields: [{ pointer: '/connection_id', code: 'connection_not_found' }],
    });
  }
});

test('a wire concurrent with the disconnection of its connection waits for it, and is rejected', async () => {
  const { id: connection_id } = await createConnection(requester, { company_id, provider: 'ledger' });
  await raw.query('BEGIN');
  await raw.query('SELECT FROM bank_connection WHERE id = $1 FOR UPDATE', [connection_id]);
  await raw.query("UPDATE bank_connection SET status = 'disconnected' WHERE id = $1", [connection_id]);
  const asking = createWire(requester, { company_id, amount_cents: 1, currency: 'USD', beneficiary, connection_id });
  const rejected = expect(asking).rejects.toMatchObject({ code: 'connection_disconnected' });
  await waitForBlocked(raw);
  await raw.query('COMMIT');
  await rejected;
});

test('the requester of a wire cannot approve or reject it, but can cancel it', async () => {
  const { id } = await wire();
  const before = await readTables(raw);
  for (const decision of ['approve', 'reject'] as const)
    await expect(decide(requester, id, decision)).rejects.toMatchObject({ code: 'self_review', status: 409 });
  expect(changesBetween(before, await readTables(raw))).toEqual({});
  expect((await decide(reviewer, id, 'approve', 'ok')).status).toBe('approved');
  expect((await cancel(requester, (await wire()).id)).status).toBe('cancelled');
});

test('a changed threshold is audited and changes no earlier wire', async () => {
  const [small, large] = [await wire(999), await wire(5000)];
  const before = await readTables(raw);
  const raised = await updateCompany(requester, { company_id, wire_approval_threshold_cents: 10_000 });
  expect(changesBetween(before, await readTables(raw))).toEqual({ company: 0, audit_log: 1, event: 1 });
  expect([await read(small.id), await read(large.id)]).toEqual([small, large]);
  expect(await auditsOf(company_id)).toContainEqual({
    action: 'companies.update',
    actor: requester.actor,
    before: expect.objectContaining({ wire_approval_threshold_cents: 1000 }),
    after: raised,
  });
  await expect(decide(requester, large.id)).rejects.toMatchObject({ code: 'self_review' });
  await updateCompany(requester, { company_id, wire_approval_threshold_cents: 1 });
  expect((await read(small.id)).status).toBe('approved');
  expect((await wire(999)).threshold_cents).toBe(1);
  await updateCompany(requester, { company_id, base_currency: 'JPY' });
  expect(await read(small.id)).toMatchObject({ threshold_cents: 1000, threshold_currency: 'USD' });
  expect((await wire(999)).threshold_currency).toBe('JPY');
});

test('a decision is stored with reviewer, time and comment, in one audit row and no event', async () => {
  const pending = await wire();
  clock.advance(HOUR);
  const at = clock.now().toISOString();
  const record = await decide(reviewer, pending.id, 'reject', 'No order');
  const review = {
    reviewer: { ...reviewer.actor, person_id: reviewer.personId },
    decision: 'reject',
    comment: 'No order',
    at,
  };
  expect(record).toEqual({ ...pending, status: 'rejected', reviews: [review], decided_at: at, updated_at: at });
  expect((await auditsOf(pending.id)).slice(1)).toEqual([
    { action: 'bank.approvals.decide', actor: reviewer.actor, before: pending, after: record },
  ]);
  expect(await decide(reviewer, pending.id, 'reject', 'again')).toEqual(record);
  expect(await auditsOf(pending.id)).toHaveLength(2);
  expect(await requiredEvents()).toHaveLength(1);
});

test('if two approvals are required, a person counts once and one rejection is enough', async () => {
  const [{ id }, { id: other }] = [await wire(), await wire()];
  await askForTwo(id);
  await askForTwo(other);
  const first = await decide(reviewer, id);
  expect(first).toMatchObject({ status: 'pending', decided_at: null, reviews: [{ decision: 'approve' }] });
  expect(await decide(reviewer, id)).toEqual(first);
  await expect(decide(reviewer, id, 'reject')).rejects.toMatchObject({
    code: 'invalid_state_transition',
    extra: { current_status: 'pending' },
  });
  expect(await decide(second, id)).toMatchObject({ status: 'approved', reviews: [{}, {}] });
  await decide(reviewer, other);
  expect((await decide(second, other, 'reject')).status).toBe('rejected');
});

test('of two concurrent decisions one counts; the other gets the status', async () => {
  for (const [mine, theirs] of [
    ['approve', 'reject'],
    ['reject', 'approve'],
    ['approve', 'approve'],
  ] as const) {
    for (let round = 0; round < 3; round++) {
      const { id } = await wire();
      const { errors } = await atOnce(2, (i) => (i === 0 ? decide(reviewer, id, mine) : decide(second, id, theirs)));
      const record = await read(id);
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({
        code: 'invalid_state_transition',
        status: 409,
        extra: { current_status: record.status, allowed: [] },
      });
      expect(record.reviews).toHaveLength(1);
      expect(record.status).toBe(record.reviews[0]?.decision === 'approve' ? 'approved' : 'rejected');
      expect(await auditsOf(id)).toHaveLength(2);
    }
  }
});

const states = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const;

test('an undecided wire expires on time; storing that changes no response', async () => {
  const [old, decided] = [await wire(), await wire()];
  await decide(reviewer, decided.id);
  clock.advance(72 * HOUR - 1);
  const late = await wire();
  expect((await read(old.id)).status).toBe('pending');
  clock.advance(1);
  const expired = { ...old, status: 'expired', decided_at: old.expires_at, updated_at: old.expires_at };
  expect(await read(old.id)).toEqual(expired);
  const statuses = async (status: (typeof states)[number]) =>
    (await listBankApprovals(requester, { company_id, limit: 10, order: 'asc', status })).data.map(({ id }) => id);
  const listed = async () => [await statuses('pending'), await statuses('expired'), await statuses('approved')];
  expect(await listed()).toEqual([[late.id], [old.id], [decided.id]]);
  await expect(decide(reviewer, old.id)).rejects.toMatchObject({ extra: { current_status: 'expired' } });

  expect(await expireBankApprovals(fixture.core)).toBeGreaterThanOrEqual(1);
  expect(await expireBankApprovals(fixture.core)).toBe(0);
  const [row] = (await raw.query('SELECT status FROM bank_approval WHERE id = $1', [old.id])).rows;
  expect(row).toEqual({ status: 'expired' });
  expect(await read(old.id)).toEqual(expired);
  expect(await listed()).toEqual([[late.id], [old.id], [decided.id]]);
  expect((await auditsOf(old.id)).slice(1)).toEqual([
    {
      action: 'bank.approvals.expire',
      actor: { type: 'system', id: 'finhook', name: 'finhook' },
      before: { status: 'pending' },
      after: { status: 'expired' },
    },
  ]);
});

test('expiry in several batches misses no wire', async () => {
  await Promise.all(Array.from({ length: 5 }, () => wire()));
  await raw.query(
    `INSERT INTO bank_approval SELECT 'apr_' || i, account_id, company_id, connection_id, amount_cents, currency, beneficiary,
       memo, threshold_cents, required_approvals, reviews, status, requested_by, expires_at, decided_at, created_at, updated_at
     FROM (SELECT * FROM bank_approval WHERE company_id = $1 LIMIT 1) a, generate_series(1, 450) i`,
    [company_id],
  );
  clock.advance(73 * HOUR);
  await Promise.all([expireBankApprovals(fixture.core), expireBankApprovals(fixture.core)]);
  expect(await readAudits(requester, { company_id, action: 'bank.approvals.expire' }, 'action')).toHaveLength(455);
});

test('approvals of a dissolved company can be read, and still expire', async () => {
  const pending = await wire();
  await dissolveCompany(requester, { company_id });
  expect(await read(pending.id)).toEqual(pending);
  clock.advance(73 * HOUR);
  await expireBankApprovals(fixture.core);
  expect((await read(pending.id)).status).toBe('expired');
});
