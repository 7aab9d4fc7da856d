// Risk: a person approves their own wire, with a second key or by raising the threshold.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import type { Context } from '../../../verbs/context.ts';
import { createAccountKey } from '../../accounts/account.ts';
import { createApiKey } from '../../accounts/api-keys/create.ts';
import { rotateApiKey } from '../../accounts/api-keys/rotate.ts';
import { createAuthenticator } from '../../accounts/authenticate.ts';
import { callerContext } from '../../accounts/known-key.ts';
import { createCompany } from '../../companies/create.ts';
import { updateCompany } from '../../companies/update.ts';
import { createWire } from './create.ts';
import { decideBankApproval } from './decide.ts';

const fixture = useFixture();
let accountId: string;
let ann: Context;
let bob: Context;
let company_id: string;
beforeEach(async () => {
  const { context } = await fixture.otherAccount();
  accountId = context.accountId;
  [ann, bob] = [await operatorKey('Ann'), await operatorKey('Bob')];
  company_id = (await createCompany(context, { name: 'Acme', wire_approval_threshold_cents: 1000 })).id;
});

const contextOf = async (key: string): Promise<Context> => {
  const principal = await createAuthenticator(fixture.core).authenticate(key, '127.0.0.1');
  return callerContext(fixture.core, principal, { request: { id: 'req_test', ip: '127.0.0.1' } });
};
const operatorKey = async (name: string): Promise<Context> =>
  contextOf((await createAccountKey(fixture.core, { accountId, name, scope: 'human' })).apiKey);
const beneficiary = { name: 'Example Ltd', account_last4: '0042' };
const wire = (context: Context, amount_cents = 1000, currency = 'USD') =>
  createWire(context, { company_id, amount_cents, currency, beneficiary });
const approve = (context: Context, approval_id: string) =>
  decideBankApproval(context, { approval_id, decision: 'approve' });

test('keys that were created or rotated with one another belong to one person, through all generations', async () => {
  const newKey = await contextOf((await createApiKey(ann, { name: 'Ann', scope: 'human' })).key);
  const rotated = await contextOf((await rotateApiKey(newKey, { key_id: newKey.keyId })).key);
  const restricted = { name: 'Approver', scope: 'human' as const, permissions: ['approvals:write' as const] };
  const child = await contextOf((await createApiKey(rotated, restricted)).key);
  const keys = [ann, newKey, rotated, child];
  for (const asks of [ann, newKey, rotated]) {
    const { id } = await wire(asks);
    for (const decides of keys) await expect(approve(decides, id)).rejects.toMatchObject({ code: 'self_review' });
    expect((await approve(bob, id)).status).toBe('approved');
  }
  const { id } = await wire(bob);
  await fixture.core.database.query('UPDATE bank_approval SET required_approvals = 2 WHERE id = $1', [id]);
  for (const decides of keys) expect((await approve(decides, id)).reviews).toHaveLength(1);
});

test('keys created by an operator are separate persons, and nobody rotates a key of another person', async () => {
  const { id } = await wire(ann);
  await expect(rotateApiKey(ann, { key_id: bob.keyId })).rejects.toMatchObject({
    code: 'insufficient_scope',
    status: 403,
  });
  expect((await approve(bob, id)).status).toBe('approved');
  const audits = await readAudits(ann, { resource_id: bob.keyId }, 'action', 'actor');
  expect(audits).toMatchObject([{ action: 'apiKeys.create', actor: { type: 'staff', id: 'operator' } }]);
  const unknown = createAccountKey(fixture.core, { accountId: 'acct_x', name: 'Eve', scope: 'human' });
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
});

test('a threshold that the requester raised, in steps or by another currency, does not count for their wires', async () => {
  const raise = (context: Context, wire_approval_threshold_cents: number) =>
    updateCompany(context, { company_id, wire_approval_threshold_cents });
  await raise(ann, 2000);
  await raise(ann, 9000);
  expect(await wire(ann, 1500)).toMatchObject({ status: 'pending', threshold_cents: 1000 });
  expect(await wire(bob, 1500)).toMatchObject({ status: 'approved', threshold_cents: 9000 });
  await raise(ann, 500);
  expect(await wire(ann, 700)).toMatchObject({ status: 'pending', threshold_cents: 500 });

  await updateCompany(bob, { company_id, base_currency: 'EUR' });
  expect((await wire(ann, 100, 'EUR')).status).toBe('pending');
  await raise(bob, 3000);
  expect(await wire(ann, 2999, 'EUR')).toMatchObject({ status: 'approved', threshold_cents: 3000 });
  expect((await wire(bob, 600, 'EUR')).status).toBe('pending');

  await updateCompany(ann, { company_id, base_currency: 'KWD' });
  expect((await wire(ann, 2999, 'KWD')).status).toBe('pending');

  const own = await createCompany(ann, { name: 'Own', wire_approval_threshold_cents: 1e12 });
  const ofOwn = { company_id: own.id, amount_cents: 1_000_000, currency: 'USD', beneficiary };
  expect(await createWire(ann, ofOwn)).toMatchObject({ status: 'pending', threshold_cents: 1_000_000 });
  expect((await createWire(bob, ofOwn)).status).toBe('approved');
});
