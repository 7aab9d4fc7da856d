// Risk: a key does what its scope does not allow, at an address that the tests of single operations do not know.
import { type ErrorCode, operations } from '@finhook/contracts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ApiResponse } from './api-client.ts';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';
import { createStage, type Stage } from './event-causes.ts';
import { untilRejected } from './until-rejected.ts';

interface Described {
  'x-scopes': readonly string[];
}

let fixture: ApiFixture;
let stage: Stage;
beforeAll(async () => {
  fixture = await openApiFixture(inject('pgUrl'));
  stage = createStage(fixture, 'http://127.0.0.1:9/hook');
});
afterAll(() => fixture.close());

const codeOf = ({ status, problem }: ApiResponse): [number, ErrorCode] => [status, problem.code];

test('S6: over every path and method of the OpenAPI document, aliases too, a key is let in as far as its scope says', async () => {
  const { body } = await fixture.client.send<{ paths: Record<string, Record<string, Described>> }>(
    'GET',
    '/api/v1/openapi.json',
  );
  const keys = { read: await fixture.keyOf('read'), agent: await fixture.keyOf('agent') };
  let checked = 0;
  for (const [path, methods] of Object.entries(body.paths)) {
    for (const [name, described] of Object.entries(methods)) {
      const method = name.toUpperCase();
      for (const [scope, key] of Object.entries(keys)) {
        const isIn = described['x-scopes'].includes(scope);
        if (scope === 'read' && method !== 'GET') expect(isIn, `${method} ${path}`).toBe(false);
        const target = `/api/v1${path.replaceAll(/\{\w+\}/g, 'nowhere')}`;
        const response = await fixture.client.send(method, target, { key, ...(method === 'GET' ? {} : { body: {} }) });
        if (isIn) expect(response.status, `${method} ${path}`).not.toBe(403);
        else expect(codeOf(response), `${method} ${path}`).toEqual([403, 'insufficient_scope']);
        checked++;
      }
    }
  }
  expect(checked).toBeGreaterThan(150);
});

test('S7: an agent’s key does its agent’s work over REST, nothing that is for people, and nothing once it is detached', async () => {
  const { agents, agentActions, agentApprovals, agentFlags, runtimeSnapshots } = operations;
  const { cases, cash, bank, apiKeys, webhookEndpoints, companies } = operations;
  const company_id = fixture.companyId;
  const agent_id = (await stage.run(agents.create, { company_id })).id;
  const caseId = (await stage.run(cases.create, { company_id })).id;
  const wire = await stage.run(bank.wires.create, { company_id });
  await stage.run(webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' });
  const client = fixture.client.as(await fixture.keyOf('agent', { agent_id }));
  const work = createStage({ client, companyId: company_id }, '');

  const action = await work.run(agentActions.create, { agent_id, company_id, status: 'logged', blocked: undefined });
  await work.run(agentActions.update, { action_id: action.id });
  const approval = await work.run(agentApprovals.request, { agent_id, company_id });
  await work.run(runtimeSnapshots.put, { agent_id });
  await work.run(cases.comments.create, { case_id: caseId });
  expect((await client.rest(companies.get, { company_id })).status).toBe(200);
  expect((await client.rest(webhookEndpoints.list)).text).not.toContain('whsec_');

  const approve = { decision: 'approve' };
  const rejected = [
    await client.rest(agentApprovals.decide, { agent_approval_id: approval.id, ...approve }),
    await client.rest(bank.approvals.decide, { approval_id: wire.id, ...approve }),
    await client.rest(apiKeys.create, { name: 'More', scope: 'human' }),
    await client.rest(apiKeys.list),
    await client.rest(webhookEndpoints.create, webhookEndpoints.create.example),
    await client.rest(cash.balances.upsert, { company_id, ...cash.balances.upsert.example }),
    await client.rest(agentFlags.create, { ...agentFlags.create.example, agent_id, company_id }),
    await client.rest(agents.resume, { agent_id }),
  ];
  expect(rejected.map(codeOf)).toEqual(rejected.map(() => [403, 'insufficient_scope']));

  await stage.run(agents.detach, { agent_id, company_id });
  // What a key reaches is known anew twice a second.
  expect((await untilRejected(() => client.rest(companies.get, { company_id }))).status).toBe(404);
  const { runtime, state } = runtimeSnapshots.put.example;
  const after = [
    await client.rest(agentActions.create, { agent_id, company_id, type: 'email.send' }),
    await client.rest(agentActions.get, { action_id: action.id }),
    await client.rest(agentApprovals.cancel, { agent_approval_id: approval.id }),
    await client.rest(cases.comments.create, { case_id: caseId, body: 'Still here' }),
    await client.rest(runtimeSnapshots.put, { agent_id, company_id, runtime, state }),
  ];
  expect(after.map(({ status }) => status)).toEqual(after.map(() => 404));
});
