// Risk: a wire or a request expires undecided, because the inbox left it out or put it behind others.
import { operations, type WaitingApproval } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { createStage, type Input, type Stage } from '../../../test/operation-stage.ts';
import { readAll } from '../../../test/read-all.ts';
import { createCompany } from '../companies/create.ts';

const clock = createTestClock('2026-11-26T12:00:00.000Z');
const fixture = useFixture(clock);
const { agentApprovals, approvals, bank } = operations;
let given: AgentFixture;
let stage: Stage;
beforeEach(async () => {
  clock.advance(1);
  given = await openAgent(fixture);
  stage = createStage(given.context, given.company_id);
});

const inHours = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
const ask = (title: string, input: Input = {}) =>
  stage.run(agentApprovals.request, { ...given.place, title, ...input });
const wire = (name: string, input: Input = {}) =>
  stage.run(bank.wires.create, {
    company_id: given.company_id,
    beneficiary: { name, account_last4: '0042' },
    memo: undefined,
    ...input,
  });
const inbox = (input: Input = {}) => stage.run(approvals.inbox, { company_id: given.company_id, ...input });
const titlesOf = ({ data }: { data: WaitingApproval[] }) => data.map(({ title }) => title);

test('wires and requests are in one list, the soonest deadline first, then those without one', async () => {
  await ask('No deadline');
  await ask('In 80 hours', { expires_at: inHours(80) });
  const machines = await wire('Example Machines Ltd', {
    memo: 'Invoice 1042',
    amount_cents: 4_820_000,
    currency: 'EUR',
  });
  const soon = await ask('In one hour', { expires_at: inHours(1), description: 'The vendor moved.', risk: 'high' });
  expect(titlesOf(await inbox())).toEqual(['In one hour', 'Example Machines Ltd', 'In 80 hours', 'No deadline']);
  expect(titlesOf(await inbox({ order: 'desc' }))).toEqual(titlesOf(await inbox()).toReversed());
  const { data } = await inbox({ limit: 2 });
  expect(data).toEqual([
    {
      object: 'waiting_approval',
      kind: 'agent_request',
      id: soon.id,
      account_id: given.context.accountId,
      company_id: given.company_id,
      agent_id: given.agent_id,
      title: 'In one hour',
      description: 'The vendor moved.',
      amount_cents: null,
      currency: null,
      risk: 'high',
      requested_by: soon.requested_by,
      requested_at: soon.requested_at,
      expires_at: inHours(1),
    },
    {
      object: 'waiting_approval',
      kind: 'wire',
      id: machines.id,
      account_id: given.context.accountId,
      company_id: given.company_id,
      agent_id: null,
      title: 'Example Machines Ltd',
      description: 'Invoice 1042',
      amount_cents: 4_820_000,
      currency: 'EUR',
      risk: null,
      requested_by: machines.requested_by,
      requested_at: machines.created_at,
      expires_at: inHours(72),
    },
  ]);
});

test('it has what waits only: nothing that was decided, cancelled, approved at once, or has just expired', async () => {
  const titles = ['decided', 'cancelled', 'waits'];
  const [decided, cancelled] = await Promise.all(titles.map((title) => ask(title, { expires_at: inHours(1) })));
  const [approved, withdrawn] = await Promise.all(titles.map((title) => wire(`wire ${title}`)));
  await wire('below the threshold', { amount_cents: 1, currency: 'USD' });
  await stage.runAsOther(agentApprovals.decide, { agent_approval_id: decided?.id });
  await stage.run(agentApprovals.cancel, { agent_approval_id: cancelled?.id });
  await stage.runAsOther(bank.approvals.decide, { approval_id: approved?.id });
  await stage.run(bank.approvals.cancel, { approval_id: withdrawn?.id });
  expect(titlesOf(await inbox())).toEqual(['waits', 'wire waits']);
  clock.advance(3_600_000 - 1);
  expect((await inbox({ limit: 1, include: 'total_count' })).total_count).toBe(2);
  clock.advance(1);
  expect(await inbox({ include: 'total_count' })).toMatchObject({ data: [{ title: 'wire waits' }], total_count: 1 });
  clock.advance(71 * 3_600_000);
  expect(await inbox({ include: 'total_count' })).toMatchObject({ data: [], total_count: 0, has_more: false });
});

test('pages contain each item once, forwards and backwards, also where deadlines are equal or missing', async () => {
  for (let i = 0; i < 5; i++) {
    await ask(`None ${i}`);
    await ask(`Equal ${i}`, { expires_at: inHours(72) });
    await wire(`Wire ${i}`);
  }
  const all = titlesOf(await inbox());
  expect([all.length, all.slice(0, 10).every((title) => !title.startsWith('None'))]).toEqual([15, true]);
  for (const order of ['asc', 'desc']) {
    const expected = order === 'asc' ? all : all.toReversed();
    const paged = await readAll((after) => inbox({ order, limit: 4, ...(after === undefined ? {} : { after }) }));
    expect(paged.map(({ title }) => title)).toEqual(expected);
    const first = await inbox({ order, limit: 10 });
    const next = await inbox({ order, limit: 10, after: first.next_cursor });
    expect(titlesOf(await inbox({ order, limit: 4, before: next.prev_cursor }))).toEqual(expected.slice(6, 10));
  }
});

test('a caller sees the inbox of its companies only, and an agent’s key none', async () => {
  await ask('Here');
  const other = await createCompany(given.context, { name: 'Other' });
  expect(titlesOf(await inbox({ company_id: other.id }))).toEqual([]);
  const limited = createStage({ ...given.context, access: { companyIds: [other.id] } }, other.id);
  await expect(limited.run(approvals.inbox, { company_id: given.company_id })).rejects.toMatchObject({
    code: 'company_not_found',
  });
  expect(approvals.inbox.scopes).toEqual(['human', 'read']);
});

test('a page and the count read by an index of pending rows, whatever was decided before', async () => {
  const { database } = fixture.core;
  const other = await createCompany(given.context, { name: 'Other' });
  await database.owner.query(
    `INSERT INTO bank_approval (id, account_id, company_id, amount_cents, currency, beneficiary, threshold_cents,
       required_approvals, reviews, status, requested_by, expires_at, created_at, updated_at)
     SELECT 'apr_' || n, $1, CASE WHEN n > 3000 THEN $3 ELSE $2 END, 1, 'USD', '{"name": "x"}', 1, 1, '[]',
       CASE WHEN n > 3000 OR n % 100 = 1 THEN 'pending' ELSE 'approved' END, '{"type": "system", "id": "x"}',
       $4::timestamptz + n * interval '1 minute', now(), now() FROM generate_series(1, 12000) n`,
    [given.context.accountId, given.company_id, other.id, inHours(0)],
  );
  await database.owner.query('ANALYZE bank_approval');
  const sent: [string, readonly unknown[]][] = [];
  const query: typeof database.query = (sql, values = []) => {
    sent.push([sql, values]);
    return given.context.database.query(sql, values);
  };
  const listening = createStage({ ...given.context, database: { ...given.context.database, query } }, given.company_id);
  const page = await listening.run(approvals.inbox, { company_id: given.company_id, limit: 5, include: 'total_count' });
  expect([page.data.length, page.total_count]).toEqual([5, 30]);
  for (const [sql, values] of sent.filter(([text]) => text.includes('bank_approval'))) {
    const plan = await given.context.database.query<{ 'QUERY PLAN': object[] }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
    const text = JSON.stringify(plan);
    expect(text).toMatch(/"Index Name":"bank_approval_(waiting|pending)"/);
    expect(text).not.toContain('Seq Scan');
  }
});
