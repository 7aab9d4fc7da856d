// Risk: an agent attached to one case can't request approval there, or still can while it is paused.
import { beforeEach, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import type { Context } from '../../verbs/context.ts';
import { attachAgent, detachAgent } from '../agents/attach.ts';
import { pauseAgent } from '../agents/pause.ts';
import { createCase } from '../cases/case.ts';
import { createAction } from './actions/create.ts';
import { requestApproval } from './approvals/request.ts';
import { putRuntimeSnapshot } from './runtime-snapshots.ts';

const fixture = useFixture();
let given: AgentFixture;
let first: string;
let second: string;
beforeEach(async () => {
  given = await openAgent(fixture);
  [first, second] = [await aCase(), await aCase()];
});

const aCase = async () => (await createCase(given.context, { company_id: given.company_id, title: 'Case' })).id;
const attach = (case_id?: string) => attachAgent(given.context, { ...given.place, case_id });
const act = (key: Context, case_id?: string) => createAction(key, { ...given.place, type: 'x', case_id });
const ask = (key: Context, action_id?: string) =>
  requestApproval(key, { ...given.place, title: 'May I?', action_id: action_id ?? null });
const snap = (key: Context) => putRuntimeSnapshot(key, { ...given.place, runtime: 'r/1', state: 'idle' });
const keys = (): Context[] => [given.context, given.asAgent()];
const paused = { code: 'invalid_state_transition', extra: { current_status: 'paused' } };

async function onlyAt(...cases: string[]): Promise<void> {
  await detachAgent(given.context, given.place);
  for (const one of cases) await attach(one);
}

test('an agent attached to one case requests approval there and reports its runtime’s state', async () => {
  await onlyAt(first);
  for (const key of keys()) {
    const { id } = await act(key, first);
    expect(await ask(key, id)).toMatchObject({ ...given.place, action_id: id, status: 'pending' });
    expect(await ask(key)).toMatchObject({ ...given.place, action_id: null, status: 'pending' });
    expect(await snap(key)).toMatchObject(given.place);
    await expect(ask(key, 'act_none')).rejects.toMatchObject({ fields: [{ pointer: '/action_id' }] });
  }
  await expect(act(given.asAgent())).rejects.toMatchObject({ code: 'company_not_found' });
});

test('an agent attached to one case can’t request approval for an action in another case that it has left', async () => {
  const { id } = await act(given.context, second);
  await onlyAt(first);
  await expect(ask(given.asAgent(), id)).rejects.toMatchObject({ code: 'company_not_found' });
  await expect(ask(given.context, id)).rejects.toMatchObject({
    fields: [{ pointer: '/company_id', message: expect.stringContaining('company or case') }],
  });
});

test('an agent that is paused in a case can’t request approval there, but can for the company', async () => {
  await attach(first);
  const [inCase, other] = [await act(given.context, first), await act(given.context)];
  await pauseAgent(given.context, { ...given.place, case_id: first });
  for (const key of keys()) {
    await expect(act(key, first)).rejects.toMatchObject(paused);
    await expect(ask(key, inCase.id)).rejects.toMatchObject(paused);
    expect((await ask(key, other.id)).status).toBe('pending');
    expect((await ask(key)).status).toBe('pending');
    expect((await snap(key)).state).toBe('idle');
  }
});

test('an agent that is paused for the company can still request approval in its own case', async () => {
  await attach(first);
  const { id } = await act(given.context, first);
  await pauseAgent(given.context, given.place);
  for (const key of keys()) {
    expect((await ask(key, id)).status).toBe('pending');
    await expect(ask(key)).rejects.toMatchObject(paused);
    await expect(snap(key)).rejects.toMatchObject(paused);
  }
});

test('without a binding to the company, requests without a case work until all bindings to its cases are paused', async () => {
  await onlyAt(first, second);
  await pauseAgent(given.context, { ...given.place, case_id: first });
  for (const key of keys()) {
    expect((await ask(key)).status).toBe('pending');
    expect((await snap(key)).state).toBe('idle');
  }
  await pauseAgent(given.context, { ...given.place, case_id: second });
  for (const key of keys()) {
    await expect(ask(key)).rejects.toMatchObject(paused);
    await expect(snap(key)).rejects.toMatchObject(paused);
  }
});
