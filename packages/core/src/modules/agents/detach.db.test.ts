// Risk: an agent that was detached from a company still reads all of it, because a binding to one of its cases remained.
import { beforeEach, expect, test } from 'vitest';
import { newAgent } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import type { Context } from '../../verbs/context.ts';
import { listActivity } from '../activity/list.ts';
import { createCase } from '../cases/case.ts';
import { createCompany } from '../companies/create.ts';
import { attachAgent, detachAgent } from './attach.ts';
import { pauseAgent } from './pause.ts';
import { getAgent } from './read.ts';

const fixture = useFixture();
let context: Context;
let company_id: string;
let agent_id: string;
beforeEach(async () => {
  ({ context, companyId: company_id } = await fixture.otherAccount());
  agent_id = await newAgent(context);
});

async function attachedCase(): Promise<string> {
  const { id: case_id } = await createCase(context, { company_id, title: 'Case' });
  await attachAgent(context, { agent_id, company_id, case_id });
  return case_id;
}

const stateOf = async (at: string, atCase: string | null = null) =>
  (await getAgent(context, { agent_id })).bindings.find((one) => one.company_id === at && one.case_id === atCase)
    ?.status;

test('detaching from a case keeps the company; detaching from the company ends all remaining bindings, each with an event', async () => {
  await attachAgent(context, { agent_id, company_id });
  const [first, second, third] = [await attachedCase(), await attachedCase(), await attachedCase()];
  const { id: elsewhere } = await createCompany(context, { name: 'Second' });
  await attachAgent(context, { agent_id, company_id: elsewhere });
  await pauseAgent(context, { agent_id, company_id, case_id: second });
  await detachAgent(context, { agent_id, company_id, case_id: first });
  expect([await stateOf(company_id), await stateOf(company_id, first)]).toEqual(['linked', 'unlinked']);
  for (let i = 0; i < 2; i++) {
    const answer = await detachAgent(context, { agent_id, company_id, reason: 'Done' });
    expect(answer.binding).toMatchObject({ company_id, case_id: null, status: 'unlinked' });
  }
  expect([await stateOf(company_id, second), await stateOf(company_id, third)]).toEqual(['unlinked', 'unlinked']);
  expect(await stateOf(elsewhere)).toBe('linked');
  const reported = (await readFeed(context, 'agent.unlinked')).map(({ data }) => [
    Object(data['binding']).case_id,
    data['reason'],
  ]);
  expect(reported).toEqual([
    [first, null],
    [null, 'Done'],
    [second, 'Done'],
    [third, 'Done'],
  ]);
});

test('one request leaves one audit row, however many bindings it ends, with the event of each', async () => {
  await attachAgent(context, { agent_id, company_id });
  const [first, second] = [await attachedCase(), await attachedCase()];
  await pauseAgent(context, { agent_id, company_id, case_id: second });
  await detachAgent(context, { agent_id, company_id });
  await detachAgent(context, { agent_id, company_id });
  const { data } = await listActivity(context, { action: 'agents.detach', limit: 10, order: 'asc' });
  expect(data).toHaveLength(1);
  const ended = { status: 'unlinked' };
  expect(data[0]).toMatchObject({
    resource_id: agent_id,
    company_id,
    before: {
      case_id: null,
      status: 'linked',
      others: [
        { case_id: first, status: 'linked' },
        { case_id: second, status: 'paused' },
      ],
    },
    after: { ...ended, case_id: null, others: [ended, ended] },
  });
  const reported = (await readFeed(context, 'agent.unlinked')).map(({ id }) => id);
  expect(data[0]?.events.map(({ id }) => id)).toEqual(reported);
  expect(reported).toHaveLength(3);
});

test('an agent that is only attached to cases can be detached from their company', async () => {
  const case_id = await attachedCase();
  expect((await detachAgent(context, { agent_id, company_id })).binding).toMatchObject({ case_id, status: 'unlinked' });
});
