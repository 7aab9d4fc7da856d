// Risk: an assistant exceeds its key over MCP, or a call avoids the rules of REST.

import { operationList, operations, type Permission, type Scope } from '@finhook/contracts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Input } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { callTool, connectMcp, problemIn, revisions, textOf, toolNames } from './mcp-client.ts';
import { idsFor, normalize, shapes } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';

const fixture = useApi();
let seed: Seed;

beforeAll(async () => {
  seed = await seedTenant(fixture);
  const { put } = operations.runtimeSnapshots;
  await fixture.client.rest(put, { agent_id: seed.agent_id, ...put.example });
});

const { agentActions, agentApprovals, activity, companies, requests } = operations;
const connect = (key: string, revision?: string) => connectMcp(fixture.url, key, revision);
const agentKey = () => fixture.keyOf('agent', { agent_id: seed.agent_id });

/** Listed here, so that a new change for assistants needs a decision. */
const changes = [
  'agentActions.create',
  'agentActions.update',
  'agentApprovals.cancel',
  'agentApprovals.decide',
  'agentApprovals.request',
  'agentFlags.create',
  'agentFlags.resolve',
];
const nameOf = (id: string) => id.replaceAll(/[.A-Z]/g, (c) => (c === '.' ? '_' : `_${c.toLowerCase()}`));

function toolsOf(scope: Scope, permissions?: readonly Permission[]): string[] {
  return operationList
    .filter(({ id, kind, scopes, permission }) => {
      const isGranted = permissions === undefined || (permission !== undefined && permissions.includes(permission));
      return scopes.includes(scope) && (kind === 'query' || (changes.includes(id) && isGranted));
    })
    .map(({ id }) => nameOf(id))
    .toSorted();
}

describe.each(revisions)('revision %s', (revision) => {
  test('an agent logs an action, asks for approval and waits for the decision, which a person makes over REST', async () => {
    const client = await connect(await agentKey(), revision);
    const { api_key } = await callTool(client, 'me_get');
    const agent = { agent_id: api_key.agent_id, company_id: seed.company_id };
    const action = await callTool(client, 'agent_actions_create', { ...agent, type: 'email.send', risk: 'low' });
    const asked = { ...agent, action_id: action.id, title: 'Send the reminder', payload: { to: 'vendor@example.com' } };
    const approval = await callTool(client, 'agent_approvals_request', asked);
    const read = () => callTool(client, 'agent_approvals_get', { agent_approval_id: approval.id });
    expect(await read()).toMatchObject({ status: 'pending' });
    const decision = { agent_approval_id: approval.id, decision: 'approve', comment: 'Go ahead' };
    expect((await fixture.client.rest(agentApprovals.decide, decision)).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'approved', decision_comment: 'Go ahead' });
    const outcome = { action_id: action.id, status: 'completed', output: { message_id: 'msg-1' } };
    expect(await callTool(client, 'agent_actions_update', outcome)).toMatchObject({ status: 'completed' });
    const { body } = await fixture.client.rest(activity.list, { actor_id: seed.agent_id, resource_id: action.id });
    expect(body.data.map((row) => row.action)).toEqual(['agentActions.update', 'agentActions.create']);
  });

  test('a problem is a result with the text of REST, and an unknown tool an error of the protocol', async () => {
    const client = await connect(fixture.apiKey, revision);
    const result = await client.callTool({ name: 'agent_actions_create', arguments: { agent_id: seed.agent_id } });
    const rest = await fixture.client.rest(agentActions.create, { agent_id: seed.agent_id });
    expect({ ...problemIn(result), request_id: '', instance: '' }).toEqual({
      ...rest.problem,
      request_id: '',
      instance: '',
    });
    const unknown = await client.callTool({ name: 'companies_list', arguments: { statuss: 'active' } });
    expect(problemIn(unknown)).toMatchObject({ code: 'unknown_parameter', status: 400 });
    await expect(client.callTool({ name: 'bank_wires_create', arguments: {} })).rejects.toThrow('no tool');
  });
});

test('records are resources, and companies are listed page by page', async () => {
  const client = await connect(fixture.apiKey);
  const { resources } = await client.listResources();
  const ids = (await fixture.client.rest(companies.list)).body.data.map(({ id }) => `finhook://companies/${id}`);
  expect(resources.map(({ uri }) => uri)).toEqual(ids);
  const { resourceTemplates } = await client.listResourceTemplates();
  const uris = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
  expect(uris).toContain('finhook://companies/{company_id}/cash/balances/{balance_id}');
  for (const template of uris) {
    const uri = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(seed, name)));
    const { contents } = await client.readResource({ uri });
    const rest = await fixture.client.send('GET', uri.replace('finhook:/', '/api/v1'));
    expect(normalize(JSON.parse(Reflect.get(Object(contents[0]), 'text'))), uri).toEqual(normalize(rest.body));
  }
  const missing = ['finhook://companies/co_01kgw3q2m8v7d5n0r4t6x9zabc', 'finhook://nothing', 'file:///etc/passwd'];
  for (const uri of missing) await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
});

test('the prompts name existing tools and require their arguments', async () => {
  const client = await connect(await fixture.keyOf('read'));
  const names = await toolNames(client);
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['why-did-this-webhook-not-arrive', 'month-end-check']);
  const values = { id: 'dlv_1', company_id: seed.company_id, month: '2026-02' };
  for (const { name, arguments: asked = [] } of prompts) {
    const given = Object.fromEntries(Object.entries(values).filter(([key]) => asked.some((each) => each.name === key)));
    const { messages } = await client.getPrompt({ name, arguments: given });
    const text = String(Reflect.get(Object(messages[0]?.content), 'text'));
    for (const value of Object.values(given)) expect(text).toContain(value);
    const named = operationList.map(({ id }) => nameOf(id)).filter((tool) => text.includes(`\`${tool}\``));
    expect(named.length).toBeGreaterThan(4);
    // A read key may not check signatures.
    const others = named.filter((tool) => !names.includes(tool));
    expect(others.filter((tool) => tool !== 'webhook_endpoints_verify_signature')).toEqual([]);
    await expect(client.getPrompt({ name, arguments: {} })).rejects.toThrow('required');
  }
});

test('the tools of a key are the reads of its scope, and the changes of the agent runtime that it may make', async () => {
  const permissions: Permission[] = ['runtime:write', 'wires:write', 'keys:write', 'webhooks:write'];
  const keys: [string, string[]][] = [
    [fixture.apiKey, toolsOf('human')],
    [await agentKey(), toolsOf('agent')],
    [await fixture.keyOf('read'), toolsOf('read')],
    [await fixture.keyOf('human', { permissions }), toolsOf('human', permissions)],
    [await fixture.keyOf('human', { permissions: ['cash:write'] }), toolsOf('human', [])],
    [await fixture.keyOf('ingest'), []],
  ];
  for (const [key, expected] of keys) expect(await toolNames(await connect(key))).toEqual(expected);
  expect(toolsOf('human').length).toBeGreaterThan(60);
  const taken = operationList.filter(({ input }) => 'idempotency_key' in Object(Reflect.get(input, 'shape')));
  expect(taken).toEqual([]);
});

test('annotations say what a tool does: only reads for a read key, and nothing that could move money for any', async () => {
  const { tools } = await (await connect(await fixture.keyOf('read'))).listTools();
  for (const { name, annotations } of tools) expect([name, annotations?.readOnlyHint]).toEqual([name, true]);
  const all = (await (await connect(fixture.apiKey)).listTools()).tools;
  const writes = all.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  const hints = writes.map(({ name, annotations }) => [
    name,
    annotations?.destructiveHint,
    annotations?.idempotentHint,
  ]);
  expect(hints.toSorted()).toEqual([
    ['agent_actions_create', false, false],
    ['agent_actions_update', true, true],
    ['agent_approvals_cancel', true, false],
    ['agent_approvals_decide', true, false],
    ['agent_approvals_request', false, false],
    ['agent_flags_create', false, false],
    ['agent_flags_resolve', true, false],
  ]);
  for (const { name, description, inputSchema } of all) {
    expect(name).toMatch(/^[a-z][a-z_]{1,63}$/);
    expect(description?.length, name).toBeGreaterThan(20);
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
      expect(Object(schema), `${name} ${field}`).toHaveProperty('description');
  }
});

test('a read returns what REST returns, as text and structured', async () => {
  const client = await connect(fixture.apiKey);
  for (const operation of shapes.filter(({ http }) => http.method === 'GET')) {
    const input: Input = idsFor(operation, seed);
    const result = await client.callTool({ name: nameOf(operation.id), arguments: input });
    const rest = await fixture.client.rest(operation, input);
    expect([operation.id, rest.status, result.isError ?? false]).toEqual([operation.id, 200, false]);
    expect(normalize(result.structuredContent), operation.id).toEqual(normalize(rest.body));
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  }
});

test('another company, account or scope is denied, with a row in the audit log', async () => {
  const other = await fixture.openTenant('Elsewhere');
  const beside = (await fixture.client.rest(companies.create, { name: 'Beside' })).body.id;
  const client = await connect(await fixture.keyOf('read', { company_ids: [seed.company_id] }));
  for (const company_id of [beside, other.companyId]) {
    const result = await client.callTool({ name: 'companies_get', arguments: { company_id } });
    expect(problemIn(result)).toMatchObject({ status: 404, code: 'company_not_found' });
    await expect(client.readResource({ uri: `finhook://companies/${company_id}` })).rejects.toThrow('company');
  }
  expect(await callTool(client, 'companies_get', { company_id: seed.company_id })).toMatchObject({
    id: seed.company_id,
  });
  const action = { agent_id: seed.agent_id, company_id: seed.company_id, type: 'email.send' };
  const denied = await client.callTool({ name: 'agent_actions_create', arguments: action });
  expect(problemIn(denied)).toMatchObject({ status: 403, code: 'insufficient_scope' });
  await vi.waitFor(
    async () =>
      expect((await fixture.client.rest(activity.list, { action: 'access.denied' })).body.data).toHaveLength(1),
    { timeout: 10_000, interval: 50 },
  );
});

test('a change repeated with its idempotency_key happens once, the key is for this change only, and the log of requests says so', async () => {
  const client = await connect(await agentKey());
  const input = { agent_id: seed.agent_id, company_id: seed.company_id, type: 'once', idempotency_key: 'one-time' };
  const first = await callTool(client, 'agent_actions_create', input);
  expect(await callTool(client, 'agent_actions_create', input)).toEqual(first);
  const reused = await client.callTool({ name: 'agent_actions_create', arguments: { ...input, type: 'twice' } });
  expect(problemIn(reused)).toMatchObject({ code: 'idempotency_key_reuse' });
  const wrong = await client.callTool({ name: 'agent_actions_create', arguments: { ...input, idempotency_key: 7 } });
  expect(problemIn(wrong)).toMatchObject({ code: 'invalid_idempotency_key' });
  // PostgreSQL rejects NUL, and with it the other entries of the log.
  const nul = await client.callTool({ name: 'agent_actions_create', arguments: { ...input, idempotency_key: '\0' } });
  expect(problemIn(nul)).toMatchObject({ code: 'invalid_idempotency_key' });
  const { body } = await fixture.client.rest(agentActions.list, { agent_id: seed.agent_id, type: 'once' });
  expect(body.data).toHaveLength(1);

  const { api_key: key } = await callTool(client, 'me_get');
  const logged = async () => {
    const { data } = (await fixture.client.rest(requests.list, { operation: 'agentActions.create', key_id: key.id }))
      .body;
    return data.map((call) => [call.status, call.code, call.idempotency_key, call.idempotency_replayed]).toReversed();
  };
  await expect.poll(logged).toEqual([
    [200, null, 'one-time', false],
    [200, null, 'one-time', true],
    [422, 'idempotency_key_reuse', 'one-time', false],
    [400, 'invalid_idempotency_key', null, false],
    [400, 'invalid_idempotency_key', null, false],
  ]);
});

const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const accept = { accept: 'application/json, text/event-stream' };

describe('the HTTP side', () => {
  const post = (options: object) => fixture.client.send('POST', '/mcp', { headers: accept, body: ping, ...options });

  test('401 has WWW-Authenticate', async () => {
    for (const key of [null, `sk_live_${'x'.repeat(36)}`]) {
      const response = await post({ key });
      expect([response.status, response.problem.status]).toEqual([401, 401]);
      expect(response.headers['www-authenticate']).toContain('Bearer realm="finhook"');
    }
  });

  test('a web page cannot call it, whatever its origin', async () => {
    const { host } = new URL(fixture.url);
    for (const origin of ['https://evil.example', `http://${host}`, 'null']) {
      const response = await post({ headers: { ...accept, origin } });
      expect([response.status, response.problem.code]).toEqual([403, 'csrf_failed']);
    }
  });

  test('bodies are limited, and one message is one call', async () => {
    expect((await post({})).status).toBe(200);
    expect((await post({ raw: 'x'.repeat(3 * 1024 * 1024) })).status).toBe(413);
    for (const options of [{ body: [ping, ping] }, { raw: '' }, { body: 'text' }])
      expect((await post(options)).problem).toMatchObject({ status: 400, code: 'malformed_body' });
    expect((await post({ raw: '{' })).problem.code).toBe('malformed_json');
    expect((await post({ headers: { ...accept, 'content-type': 'text/plain' } })).status).toBe(415);
    for (const method of ['GET', 'DELETE']) {
      const response = await fixture.client.send(method, '/mcp', { headers: accept });
      expect([response.status, response.headers['allow']]).toEqual([405, 'OPTIONS, POST']);
    }
  });

  test('a number that would be rounded is rejected', async () => {
    const action = { agent_id: seed.agent_id, company_id: seed.company_id, type: 'exact', status: 'completed' };
    const params = { name: 'agent_actions_create', arguments: { ...action, duration_ms: 1 } };
    const raw = JSON.stringify({ ...ping, method: 'tools/call', params }).replace(
      '"duration_ms":1',
      '"duration_ms":1.00000000000000000001',
    );
    const { text } = await post({ raw });
    expect(text).toContain('/duration_ms');
    expect(text).toContain('validation_failed');
  });

  test('calls count towards the rate limits of REST', async () => {
    const limited = await fixture.openBeside({
      rateLimits: { requests: 3, windowSeconds: 600 },
    });
    const send = () => limited.client.send('POST', '/mcp', { headers: accept, body: ping });
    const left = [await send(), await limited.client.rest(operations.me.get), await send()];
    expect(left.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['2', '1', '0']);
    expect(await send()).toMatchObject({ status: 429, problem: { code: 'rate_limited' } });
  });
});
