// Risk: an assistant's client can't use the service over stdio, or hangs after a failure.
import { once } from 'node:events';
import { createClient } from '@finhook/client';
import { operations } from '@finhook/contracts';
import { compileCache } from '@finhook/testing';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { finhookProgram } from './run-finhook.ts';
import { useFinhook } from './use-finhook.ts';

const finhook = useFinhook();

interface Login {
  url: string;
  key: string;
}

async function connect({ url, key }: Login, mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  const env = { FINHOOK_URL: url, FINHOOK_API_KEY: key, NODE_COMPILE_CACHE: compileCache };
  const command = { command: process.execPath, args: [finhookProgram, 'mcp'] };
  await client.connect(new StdioClientTransport({ ...command, env, stderr: 'pipe' }));
  return client;
}

/** A person's client, and one of their agent. */
async function openAgent() {
  const { api_url: url, api_key: apiKey, company_id } = finhook.info;
  const person = createClient({ baseUrl: url, apiKey });
  const { id: agent_id } = await person.agents.create({ ...operations.agents.create.example, company_id });
  const { key } = await person.apiKeys.create({ name: 'Clerk', scope: 'agent', agent_id });
  return { person, agent: { url, key }, ids: { agent_id, company_id } };
}

test.each(['auto', 'legacy'] as const)(
  'an agent asks for approval and sees the decision of a person, with a client that negotiates %s',
  async (mode) => {
    const { person, agent, ids } = await openAgent();
    const client = await connect(agent, mode);
    expect(client.getServerVersion()).toMatchObject({ name: 'finhook' });
    const call = async (name: string, input: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
      return Object(result.structuredContent);
    };
    const action = await call('agent_actions_create', { ...ids, type: 'email.send' });
    const approval = await call('agent_approvals_request', { ...ids, action_id: action.id, title: 'Send it' });
    await person.agentApprovals.decide({ agent_approval_id: approval.id, decision: 'approve' });
    const input = { agent_approval_id: approval.id };
    expect(await call('agent_approvals_get', input)).toMatchObject({ status: 'approved' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('agent_approvals_decide');
  },
);

const listTools = `${JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/list' })}\n`;

test('what stdin asked for is answered before the process ends, and only answers are on stdout', async () => {
  const ended = await finhook.runWith({ input: `no json\n${listTools}` }, 'mcp');
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('finhook doctor') });
  const [line = '', ...rest] = ended.stdout.trim().split('\n');
  expect(rest).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({ id: 'a', result: { tools: expect.any(Array) } });
});

test('a signal ends it although stdin stays open', async () => {
  const { child, ended } = finhook.start('mcp');
  child.stdin?.write(listTools);
  if (child.stdout) await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 130 });
});

test.each([
  ['a rejected key', {}, 'invalid_api_key'],
  ['an unreachable service', { FINHOOK_URL: 'http://127.0.0.1:9' }, 'finhook doctor'],
])('%s is an error of the call', async (_name, variables, text) => {
  const env = { FINHOOK_API_KEY: `sk_test_${'x'.repeat(36)}`, ...variables };
  const { code, stdout } = await finhook.runWith({ env, input: listTools }, 'mcp');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'a', error: { message: expect.stringContaining(text) } });
  expect(stdout).not.toContain('sk_test_');
});
