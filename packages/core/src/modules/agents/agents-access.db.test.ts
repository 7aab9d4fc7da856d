// Risk: an agent is shown to who must not know it, or changed by who reaches only some of its companies.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { agentFields, asAgent, newAgent } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import type { Context } from '../../kernel/context.ts';
import { createCompany } from '../companies/create.ts';
import { attachAgent, detachAgent } from './attach.ts';
import { createAgent } from './create.ts';
import { pauseAgent } from './pause.ts';
import { getAgent, listAgents } from './read.ts';
import { updateAgent } from './update.ts';

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let context: Context;
let company_id: string;
beforeEach(async () => {
  // Ids of one millisecond rise up to the 32nd.
  clock.advance(1);
  ({ context, companyId: company_id } = await fixture.otherAccount());
});

const anotherCompany = async () => (await createCompany(context, { name: 'Second' })).id;
const restricted = (...companyIds: string[]): Context => ({ ...context, access: { companyIds } });
const NOT_FOUND = { code: 'not_found', message: 'No such agent. Check the id and the account of the API key.' };

test('S3: a restricted key knows the agents of its companies, with their bindings there', async () => {
  const second = await anotherCompany();
  const shared = await newAgent(context, company_id);
  await attachAgent(context, { agent_id: shared, company_id: second });
  const [mine, theirs, free] = [
    await newAgent(context, company_id),
    await newAgent(context, second),
    await newAgent(context),
  ];
  const key = restricted(company_id);
  const page = { limit: 50, order: 'asc' } as const;
  const listed = (await listAgents(key, page)).data;
  expect(listed.map(({ id }) => id)).toEqual([shared, mine]);
  for (const { bindings } of listed) expect(bindings.map((binding) => binding.company_id)).toEqual([company_id]);
  expect(JSON.stringify(await getAgent(key, { agent_id: shared }))).not.toContain(second);
  expect((await listAgents(key, { ...page, company_id: second })).data).toEqual([]);
  for (const agent_id of [theirs, free, 'agent_unknown']) {
    await expect(getAgent(key, { agent_id })).rejects.toMatchObject(NOT_FOUND);
    await expect(updateAgent(key, { agent_id, name: 'x' })).rejects.toMatchObject(NOT_FOUND);
    await expect(pauseAgent(key, { agent_id })).rejects.toMatchObject(NOT_FOUND);
    await expect(attachAgent(key, { agent_id, company_id })).rejects.toMatchObject(NOT_FOUND);
    await expect(detachAgent(key, { agent_id, company_id })).rejects.toMatchObject(NOT_FOUND);
  }
  await expect(attachAgent(key, { agent_id: mine, company_id: second })).rejects.toMatchObject({
    code: 'company_not_found',
  });
  await expect(detachAgent(key, { agent_id: shared, company_id: second })).rejects.toMatchObject({ code: 'not_found' });
});

test('S3: what concerns a whole agent needs a key that reaches all of its companies', async () => {
  const second = await anotherCompany();
  const agent_id = await newAgent(context, company_id);
  await attachAgent(context, { agent_id, company_id: second });
  const key = restricted(company_id);
  const rejected = { code: 'insufficient_scope' };
  await expect(updateAgent(key, { agent_id, name: 'x' })).rejects.toMatchObject(rejected);
  await expect(pauseAgent(key, { agent_id })).rejects.toMatchObject(rejected);
  expect((await pauseAgent(key, { agent_id, company_id })).binding?.status).toBe('paused');
  expect((await updateAgent(restricted(company_id, second), { agent_id, name: 'x' })).name).toBe('x');
  await detachAgent(context, { agent_id, company_id: second });
  expect((await pauseAgent(key, { agent_id })).status).toBe('paused');
  await expect(createAgent(key, agentFields)).rejects.toMatchObject({
    fields: [{ pointer: '/company_id', code: 'required' }],
  });
  expect((await createAgent(key, { ...agentFields, company_id })).bindings).toHaveLength(1);
});

test('S7: an agent’s own key knows no other agent, whatever they share', async () => {
  const [own, other] = [await newAgent(context, company_id), await newAgent(context, company_id)];
  const key = asAgent(context, own, company_id);
  expect((await listAgents(key, { limit: 50, order: 'asc' })).data.map(({ id }) => id)).toEqual([own]);
  expect((await getAgent(key, { agent_id: own })).id).toBe(own);
  await expect(getAgent(key, { agent_id: other })).rejects.toMatchObject(NOT_FOUND);
  const nobody: Context = { ...key, access: { companyIds: [company_id] } };
  expect((await listAgents(nobody, { limit: 50, order: 'asc' })).data).toEqual([]);
  await expect(getAgent(nobody, { agent_id: own })).rejects.toMatchObject(NOT_FOUND);
});
