// Risk: a key creates one that may do more than itself.
import type { FieldErrorCode, operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeAll, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import type { Access } from '../../../access/access.ts';
import type { Context } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import type { InputOf } from '../../../verbs/verb.ts';
import { createAgent } from '../../agents/create.ts';
import { createCompany } from '../../companies/create.ts';
import { createApiKey } from './create.ts';

type Wish = Partial<InputOf<typeof operations.apiKeys.create>>;

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let second: string;
let foreign: string;
beforeAll(async () => {
  second = (await createCompany(fixture.context, { name: 'Second' })).id;
  foreign = (await fixture.otherAccount()).companyId;
});

const DAY = 86_400_000;
const as = (access: Access): Context => ({ ...fixture.context, access });
const createKey = (access: Access, wish: Wish) => createApiKey(as(access), { name: 'k', scope: 'human', ...wish });

async function fieldErrorsOf(access: Access, wish: Wish): Promise<[string, FieldErrorCode][]> {
  const rejection: unknown = await createKey(access, wish).catch((error: unknown) => error);
  if (!(rejection instanceof DomainError)) throw new Error(`It was not refused: ${JSON.stringify(rejection)}`);
  expect(rejection.code).toBe('validation_failed');
  return rejection.fields.map(({ pointer, code }) => [pointer, code]);
}

test('a restricted key lists its restrictions, each once', async () => {
  const { companyId } = fixture;
  const newKey = await createKey(
    {},
    {
      company_ids: [companyId, second, companyId],
      permissions: ['cash:write', 'cash:write', 'keys:write'],
      ip_allowlist: ['203.0.113.7', '2001:db8::/32', '203.0.113.7'],
      expires_in_days: 3,
    },
  );
  expect(newKey).toMatchObject({
    company_ids: [companyId, second],
    permissions: ['cash:write', 'keys:write'],
    ip_allowlist: ['203.0.113.7', '2001:db8::/32'],
    agent_id: null,
    expires_at: new Date(clock.now().getTime() + 3 * DAY).toISOString(),
  });
});

test('limits that the request omits are inherited from the creating key, whatever the scope', async () => {
  const own: Access = {
    companyIds: [second],
    permissions: ['keys:write', 'cash:write'],
    ipAllowlist: ['10.0.0.0/8'],
    expiresAt: new Date(clock.now().getTime() + 2 * DAY),
  };
  for (const scope of ['human', 'read'] as const) {
    expect(await createKey(own, { scope })).toMatchObject({
      scope,
      company_ids: [second],
      permissions: ['keys:write', 'cash:write'],
      ip_allowlist: ['10.0.0.0/8'],
      expires_at: own.expiresAt?.toISOString(),
    });
  }
  expect(
    await createKey(own, {
      permissions: ['cash:write'],
      ip_allowlist: ['10.1.0.0/16', '10.2.3.4'],
      expires_in_days: 1,
    }),
  ).toMatchObject({ company_ids: [second], permissions: ['cash:write'], ip_allowlist: ['10.1.0.0/16', '10.2.3.4'] });
});

test.each<[string, () => Access, () => Wish, [string, FieldErrorCode][]]>([
  [
    'companies',
    () => ({ companyIds: [second] }),
    () => ({ company_ids: [second, fixture.companyId] }),
    [['/company_ids/1', 'authority_exceeded']],
  ],
  [
    'permissions',
    () => ({ permissions: ['keys:write'] }),
    () => ({ permissions: ['wires:write', 'keys:write'] }),
    [['/permissions/0', 'authority_exceeded']],
  ],
  [
    'addresses',
    () => ({ ipAllowlist: ['10.0.0.0/8'] }),
    () => ({ ip_allowlist: ['10.0.0.1', '0.0.0.0/0', '::/0'] }),
    [
      ['/ip_allowlist/1', 'authority_exceeded'],
      ['/ip_allowlist/2', 'authority_exceeded'],
    ],
  ],
  [
    'time',
    () => ({ expiresAt: new Date(clock.now().getTime() + DAY) }),
    () => ({ expires_in_days: 2 }),
    [['/expires_in_days', 'authority_exceeded']],
  ],
])('asking for more %s than the key of the request has is rejected', async (_, access, wish, faults) => {
  expect(await fieldErrorsOf(access(), wish())).toEqual(faults);
});

test('an inaccessible company, one of another account and an unknown one are rejected alike', async () => {
  const unknown = `co_${'7'.repeat(26)}`;
  for (const company of [fixture.companyId, foreign, unknown]) {
    expect(await fieldErrorsOf({ companyIds: [second] }, { company_ids: [company] })).toEqual([
      ['/company_ids/0', 'authority_exceeded'],
    ]);
  }
  for (const company of [foreign, unknown]) {
    expect(await fieldErrorsOf({}, { company_ids: [second, company] })).toEqual([
      ['/company_ids/1', 'company_not_found'],
    ]);
  }
});

test('an invalid address is reported with its pointer', async () => {
  expect(await fieldErrorsOf({}, { ip_allowlist: ['203.0.113.7', '203.0.113.7/33', 'office'] })).toEqual([
    ['/ip_allowlist/1', 'invalid_format'],
    ['/ip_allowlist/2', 'invalid_format'],
  ]);
});

test('a key of scope agent needs an agent of the account, and other scopes can’t have one', async () => {
  const { context, companyId } = fixture;
  const mine = await createAgent(context, { name: 'A', provider: 'example', company_id: companyId });
  const other = await fixture.otherAccount();
  const theirs = await createAgent(other.context, { name: 'B', provider: 'example', company_id: other.companyId });
  expect(await fieldErrorsOf({}, { scope: 'agent' })).toEqual([['/agent_id', 'required']]);
  for (const agent_id of [theirs.id, `agent_${'7'.repeat(26)}`]) {
    expect(await fieldErrorsOf({}, { scope: 'agent', agent_id })).toEqual([['/agent_id', 'agent_not_found']]);
  }
  for (const scope of ['human', 'read'] as const) {
    expect(await fieldErrorsOf({}, { scope, agent_id: mine.id })).toEqual([['/agent_id', 'not_applicable']]);
  }
  expect((await createKey({}, { scope: 'agent', agent_id: mine.id })).agent_id).toBe(mine.id);
  expect((await createKey({ companyIds: [companyId] }, { scope: 'agent', agent_id: mine.id })).company_ids).toEqual([
    companyId,
  ]);
  // The agent is attached to no accessible company, so it is as unknown as any other.
  expect(await fieldErrorsOf({ companyIds: [second] }, { scope: 'agent', agent_id: mine.id })).toEqual([
    ['/agent_id', 'agent_not_found'],
  ]);
});
