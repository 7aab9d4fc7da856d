// Risk: an option is stored but not shown, shown but not stored, or reveals a credential.
import { createSigner } from '@finhook/signing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../verbs/context.ts';
import { upsertCashBalance } from '../cash/balances/upsert.ts';
import { createCompany } from '../companies/create.ts';
import { loadTargets } from '../deliveries/load-targets.ts';
import { listDeliveries } from '../deliveries/read.ts';
import { createEndpoint } from './create.ts';
import { deleteEndpoint } from './delete.ts';
import { getEndpoint } from './read.ts';
import { updateEndpoint } from './update.ts';

const fixture = useFixture();
let context: Context;
let company: string;
beforeEach(async () => {
  ({ context, companyId: company } = await fixture.otherAccount());
});

const url = 'http://127.0.0.1:4010/hook';
const token = 'Bearer 0123456789wxyz';
const targetOf = async (id: string) => (await loadTargets(fixture.core, [{ id, accountId: context.accountId }]))[0];
const auditsOf = (id: string) => readAudits(context, { resource_id: id }, 'action', 'before', 'after');

test('without options everything is at its default, and the worker has nothing more to know', async () => {
  const { id } = await createEndpoint(context, { url });
  expect(await getEndpoint(context, { endpoint_id: id })).toMatchObject({
    headers: {},
    timeout_ms: null,
    retry_schedule: null,
    filter: null,
    metadata: {},
    signature_versions: ['v1'],
    public_key: null,
    rotation_ends_at: null,
  });
  expect(await targetOf(id)).toMatchObject({
    timeoutMs: null,
    retrySchedule: null,
    headers: null,
    previousSecret: null,
    privateKey: null,
  });
});

test('null sets the default of boolean options, at creation and in a change', async () => {
  const off = { ordered: null, operational: null, include_internal: null };
  const { id, ...created } = await createEndpoint(context, { url, ...off });
  const expected = { ordered: false, operational: false, include_internal: false };
  expect(created).toMatchObject(expected);
  const on = { ordered: true, operational: true, include_internal: true };
  expect(await updateEndpoint(context, { endpoint_id: id, ...on })).toMatchObject(on);
  expect(await updateEndpoint(context, { endpoint_id: id, ...off })).toMatchObject(expected);
});

test('the worker is given the options, and null takes each back', async () => {
  const options = {
    timeout_ms: 30_000,
    retry_schedule: [1, 86_400],
    metadata: { team: 'treasury', '': '' },
    filter: { op: 'eq', field: 'type', value: 'x' } as const,
  };
  const { id } = await createEndpoint(context, { url, ...options });
  expect(await targetOf(id)).toMatchObject({ timeoutMs: 30_000, retrySchedule: [0, 1_000, 86_400_000] });
  const none = {
    timeout_ms: null,
    retry_schedule: null,
    metadata: null,
    filter: null,
    events: null,
    description: null,
  };
  const changed = await updateEndpoint(context, { endpoint_id: id, ...none });
  expect(changed).toMatchObject({ ...none, metadata: {}, events: [] });
  expect(await targetOf(id)).toMatchObject({ timeoutMs: null });
  await updateEndpoint(context, { endpoint_id: id, retry_schedule: [] });
  expect(await targetOf(id)).toMatchObject({ retrySchedule: [0] });
});

test('header values are encrypted, masked for every reader and in the audit log, and wiped with the endpoint', async () => {
  const headers = { Authorization: token, 'X-Env': 'prod', 'x-eleven': '12345678901' };
  const masked = { authorization: '***wxyz', 'x-eleven': '***', 'x-env': '***' };
  const { id, ...created } = await createEndpoint(context, { url, headers });
  expect(created.headers).toEqual(masked);
  expect((await targetOf(id))?.headers?.()).toEqual({
    authorization: token,
    'x-eleven': '12345678901',
    'x-env': 'prod',
  });
  const stored = async () =>
    JSON.stringify([
      await fixture.core.database.query('SELECT * FROM webhook_endpoint WHERE id = $1', [id]),
      await auditsOf(id),
    ]);
  expect(await stored()).not.toContain('0123456789');
  // Another value with the same mask is a change.
  await updateEndpoint(context, { endpoint_id: id, headers: { ...headers, 'X-Env': 'test' } });
  expect((await auditsOf(id)).map(({ action }) => action)).toEqual([
    'webhookEndpoints.create',
    'webhookEndpoints.update',
  ]);
  expect((await targetOf(id))?.headers?.()['x-env']).toBe('test');
  await updateEndpoint(context, {
    endpoint_id: id,
    headers: { 'x-env': 'test', 'x-eleven': '12345678901', Authorization: token },
  });
  expect(await auditsOf(id)).toHaveLength(2);
  await deleteEndpoint(context, { endpoint_id: id });
  const [row] = await fixture.core.database.query<Record<string, unknown>>(
    'SELECT headers, secret, private_key, previous_secret FROM webhook_endpoint WHERE id = $1',
    [id],
  );
  expect(row).toEqual({ headers: null, secret: null, private_key: null, previous_secret: null });
});

test('a header value sent back as it was read keeps the stored one; a mask without a stored value is rejected', async () => {
  const { id, headers } = await createEndpoint(context, { url, headers: { authorization: token, 'x-a': 'short' } });
  await updateEndpoint(context, { endpoint_id: id, headers: { ...headers, 'x-b': 'new' } });
  expect((await targetOf(id))?.headers?.()).toEqual({ authorization: token, 'x-a': 'short', 'x-b': 'new' });
  for (const wrong of [{ authorization: '***wxyy' }, { 'x~c': '***' }, Object.fromEntries([['__proto__', 'x']])]) {
    await expect(updateEndpoint(context, { endpoint_id: id, headers: wrong })).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ pointer: expect.stringMatching(/^\/headers\/(authorization|x~0c|__proto__)$/) }],
    });
  }
  expect((await updateEndpoint(context, { endpoint_id: id, headers: null })).headers).toEqual({});
  expect(await targetOf(id)).toMatchObject({ headers: null });
});

test('stored header values do not go with an endpoint to another url, be it of the same origin', async () => {
  const { id, headers } = await createEndpoint(context, { url, headers: { authorization: token, 'x-env': 'prod' } });
  const stored = (await targetOf(id))?.headers?.();
  const { origin, port, hostname } = new URL(url);
  const elsewhere = [
    `http://${hostname}:${Number(port) + 1}/hook`,
    `https://${hostname}:${port}/hook`,
    `${origin}/other`,
    `${url}?token=x`,
  ];
  for (const moved of elsewhere) {
    await expect(updateEndpoint(context, { endpoint_id: id, url: moved })).rejects.toMatchObject({
      status: 422,
      fields: [{ pointer: '/headers', code: 'required', message: expect.stringMatching(/given anew, or be null/) }],
    });
    const partly = { ...headers, 'x-env': 'test' };
    await expect(updateEndpoint(context, { endpoint_id: id, url: moved, headers: partly })).rejects.toMatchObject({
      status: 422,
      fields: [{ pointer: '/headers/authorization', code: 'invalid_format' }],
    });
  }
  expect((await targetOf(id))?.url).toBe(url);
  await updateEndpoint(context, { endpoint_id: id, url, headers });
  expect((await targetOf(id))?.headers?.()).toEqual(stored);
  const [anew, off] = elsewhere;
  await updateEndpoint(context, { endpoint_id: id, url: anew, headers: { authorization: 'another token' } });
  expect(await targetOf(id)).toMatchObject({ url: anew });
  expect((await targetOf(id))?.headers?.()).toEqual({ authorization: 'another token' });
  await updateEndpoint(context, { endpoint_id: id, url: off, headers: null });
  expect((await targetOf(id))?.url).toBe(off);
  // Nothing is stored that could be sent elsewhere.
  await updateEndpoint(context, { endpoint_id: id, url });
});

test('the headers and the private key of one endpoint, moved to the row of another, open nothing', async () => {
  const options = { url, headers: { authorization: token }, signature_versions: ['v1' as const, 'v1a' as const] };
  const [a, b] = [await createEndpoint(context, options), await createEndpoint(context, options)];
  expect(a.public_key).not.toBe(b.public_key);
  await fixture.core.database.query(
    `UPDATE webhook_endpoint SET (headers, private_key, previous_secret, previous_secret_until) =
       (SELECT headers, private_key, secret, now() + interval '1 hour' FROM webhook_endpoint WHERE id = $1) WHERE id = $2`,
    [a.id, b.id],
  );
  const target = await targetOf(b.id);
  for (const open of [target?.headers, target?.privateKey, target?.previousSecret]) {
    expect(open).toBeTypeOf('function');
    expect(() => open?.()).toThrow();
  }
  expect(createSigner(target?.secret() ?? '')).toBeDefined();
});

test('v1a has a key pair of its own, which lives as long as v1a is asked for', async () => {
  const plain = await createEndpoint(context, { url });
  const first = await updateEndpoint(context, { endpoint_id: plain.id, signature_versions: ['v1a', 'v1', 'v1a'] });
  expect(first).toMatchObject({ signature_versions: ['v1', 'v1a'], public_key: expect.stringMatching(/^whpk_/) });
  const again = await updateEndpoint(context, { endpoint_id: plain.id, signature_versions: ['v1', 'v1a'] });
  expect(again).toEqual(first);
  expect((await targetOf(plain.id))?.privateKey?.()).toMatch(/^whsk_/);
  const off = await updateEndpoint(context, { endpoint_id: plain.id, signature_versions: null });
  expect(off).toMatchObject({ signature_versions: ['v1'], public_key: null });
  const on = await updateEndpoint(context, { endpoint_id: plain.id, signature_versions: ['v1', 'v1a'] });
  expect(on.public_key).not.toBe(first.public_key);
});

test('the company of an endpoint can be changed within what the key reaches', async () => {
  const other = await createCompany(context, { name: 'Second' });
  const { id } = await createEndpoint(context, { url });
  const restricted: Context = { ...context, access: { companyIds: [company] } };
  expect((await updateEndpoint(context, { endpoint_id: id, company_id: company })).company_id).toBe(company);
  const balance = { as_of: '2026-01-10', balance_cents: 1, currency: 'USD' };
  const [mine] = [await upsertCashBalance(context, { ...balance, company_id: company })];
  await upsertCashBalance(context, { ...balance, company_id: other.id });
  const sent = await listDeliveries(context, { limit: 50, order: 'asc', endpoint_id: id });
  expect(sent.data.map(({ event_id }) => event_id)).toEqual([mine.event_id]);
  const rejected = (code: string) => ({ code: 'validation_failed', fields: [{ pointer: '/company_id', code }] });
  const change = (by: Context, company_id: string | null) => updateEndpoint(by, { endpoint_id: id, company_id });
  await expect(change(context, 'co_unknown')).rejects.toMatchObject(rejected('company_not_found'));
  await expect(change(restricted, other.id)).rejects.toMatchObject(rejected('company_not_found'));
  await expect(change(restricted, null)).rejects.toMatchObject(rejected('required'));
  expect((await change(context, null)).company_id).toBeNull();
});
