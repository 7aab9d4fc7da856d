// Risk: a case changes without an audit row, gets agents of another company, or is visible to the wrong key.
import type { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import type { Context } from '../../verbs/context.ts';
import type { InputOf } from '../../verbs/verb.ts';
import { attachAgent, detachAgent } from '../agents/attach.ts';
import { createAgent } from '../agents/create.ts';
import { createCase, getCase, listCases, updateCase } from './case.ts';

type NewCase = InputOf<typeof operations.cases.create>;
type Filter = Omit<Partial<InputOf<typeof operations.cases.list>>, 'company_id'>;

const clock = createTestClock('2027-01-15T12:00:00.000Z');
const fixture = useFixture(clock);
let given: AgentFixture;
let context: Context;
let company_id: string;
beforeEach(async () => {
  clock.advance(1000);
  given = await openAgent(fixture);
  ({ context, company_id } = given);
});

const open = (more: Partial<NewCase> = {}) => createCase(context, { company_id, title: 'Notice', ...more });
const list = (more: Filter = {}) => listCases(context, { company_id, limit: 50, order: 'desc', ...more });
const anotherAgent = async () => (await createAgent(context, { name: 'Second', provider: 'example' })).id;
const auditsOf = async (id: string) => (await given.traceOf(id)).audits;

describe('opening', () => {
  test('omitted fields get their defaults', async () => {
    const usual = { description: null, priority: 'normal', assignee: null, agent_ids: [], status: 'open' };
    expect(await open()).toMatchObject(usual);
    expect(await open({ description: null, priority: null, assignee: null, agent_ids: null })).toMatchObject(usual);
    const assignee = { type: 'staff' as const, id: 'maria', name: 'Maria' };
    const { id: case_id } = await open({ description: 'x', assignee, agent_ids: [given.agent_id] });
    const emptied = { case_id, description: null, assignee: null, agent_ids: null };
    expect(await updateCase(context, emptied)).toMatchObject(usual);
  });

  test('agents must be attached to the company: each other one is rejected with its pointer', async () => {
    const [stray, attached] = [await anotherAgent(), given.agent_id];
    const { context: foreign, companyId } = await fixture.otherAccount();
    const theirs = (await createAgent(foreign, { name: 'T', provider: 'x', company_id: companyId })).id;
    const rejected = open({ agent_ids: [attached, stray, theirs, 'agent_x'], assignee: { type: 'agent', id: stray } });
    await expect(rejected).rejects.toMatchObject({
      code: 'validation_failed',
      fields: ['/agent_ids/1', '/agent_ids/2', '/agent_ids/3', '/assignee/id'].map((pointer) => ({
        pointer,
        code: 'agent_not_found',
      })),
    });
    expect((await list()).data).toEqual([]);
  });
});

describe('changes', () => {
  test('closing sets closed_at, reopening clears it, and waiting cannot follow closed', async () => {
    const { id: case_id } = await open();
    const to = (status: 'open' | 'waiting' | 'closed') => updateCase(context, { case_id, status });
    expect(await to('waiting')).toMatchObject({ status: 'waiting', closed_at: null });
    const closed = await to('closed');
    expect(closed).toMatchObject({ status: 'closed', closed_at: clock.now().toISOString() });
    clock.advance(5000);
    expect(await to('closed')).toEqual(closed);
    await expect(updateCase(context, { case_id, status: 'waiting', title: 'Other' })).rejects.toMatchObject({
      code: 'invalid_state_transition',
      extra: { current_status: 'closed', allowed: ['open'] },
    });
    expect(await getCase(context, { case_id })).toEqual(closed);
    expect(await to('open')).toMatchObject({ status: 'open', closed_at: null });
    expect(await auditsOf(case_id)).toHaveLength(4);
  });

  test('two concurrent changes of different fields are both kept', async () => {
    const { id: case_id } = await open();
    await Promise.all([
      updateCase(context, { case_id, title: 'One' }),
      updateCase(context, { case_id, priority: 'low' }),
    ]);
    expect(await getCase(context, { case_id })).toMatchObject({ title: 'One', priority: 'low' });
  });

  test('a detached agent stays on the case until it is removed, and then cannot be added again', async () => {
    const { agent_id } = given;
    const { id: case_id } = await open({ agent_ids: [agent_id], assignee: { type: 'agent', id: agent_id } });
    await detachAgent(context, { agent_id, company_id });
    const second = await anotherAgent();
    await attachAgent(context, { agent_id: second, company_id, case_id });
    const kept = { case_id, agent_ids: [second, agent_id], assignee: { type: 'agent' as const, id: agent_id } };
    expect(await updateCase(context, kept)).toMatchObject({
      agent_ids: [second, agent_id],
      assignee: { type: 'agent', id: agent_id, name: 'Bookkeeper' },
    });
    await updateCase(context, { case_id, agent_ids: [second], assignee: null });
    await expect(updateCase(context, kept)).rejects.toMatchObject({
      fields: [{ pointer: '/agent_ids/1' }, { pointer: '/assignee/id' }],
    });
  });
});
