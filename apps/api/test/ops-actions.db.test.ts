// Risk: somebody else acts on an account's endpoint, or an operator does without a trace in its account.
import { operations } from '@finhook/contracts';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { useApi } from './api-fixture.ts';
import { type OpenConsole, openConsole } from './ops-console.ts';

const { webhookEndpoints, cash, deliveries, activity, replays } = operations;

const fixture = useApi();
let console: OpenConsole;
let cookie: string;
let endpointId: string;

beforeEach(async () => {
  console = await openConsole({ core: fixture.elsewhere, queueUrl: inject('pgUrl') });
  cookie = await console.signIn();
  const url = 'http://127.0.0.1:9/hook?token=hunter2';
  const input = { url, description: '<b>Ledger</b>', headers: { Authorization: 'Bearer opensesame' } };
  const created = await fixture.client.rest(webhookEndpoints.create, { ...input, events: ['bank.balance.updated'] });
  endpointId = created.body.id;
});
afterEach(async () => {
  await fixture.client.rest(webhookEndpoints.delete, { endpoint_id: endpointId });
  await console.close();
});

const set = (columns: string) =>
  fixture.elsewhere.database.query(`UPDATE webhook_endpoint SET ${columns} WHERE id = $1`, [endpointId]);

async function postBalance(): Promise<void> {
  const balance = { as_of: '2026-03-02', balance_cents: Math.trunc(Math.random() * 1e9), currency: 'USD', source: 'x' };
  const { status } = await fixture.client.rest(cash.balances.upsert, { company_id: fixture.companyId, ...balance });
  expect(status).toBeLessThan(300);
}

/** As a program: accepts JSON. */
const act = (action: string, form: Record<string, string> = { reason: 'Ticket 7' }, headers = {}) =>
  console.send('POST', `/ops/endpoints/${endpointId}/${action}`, {
    cookie,
    form,
    headers: { accept: 'application/json', ...headers },
  });

async function acted(action: string, reason?: string): Promise<unknown> {
  const { status, text } = await act(action, reason === undefined ? undefined : { reason });
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

const newestActivity = async () =>
  (await fixture.client.rest(activity.list, { resource_id: endpointId, limit: 1 })).body.data[0];

test('pause holds the deliveries back, and the activity log has the operator and the reason', async () => {
  const place = { account_id: fixture.accountId, endpoint_id: endpointId };
  expect(await acted('pause', ' 620 undelivered ')).toEqual({ ...place, status: 'paused', changed: true });
  expect(await newestActivity()).toMatchObject({
    action: 'webhookEndpoints.update',
    actor: { type: 'staff', id: 'operator', name: 'Operator' },
    before: { status: 'active' },
    after: { id: endpointId, status: 'paused', reason: '620 undelivered' },
    ip: '127.0.0.1',
    events: [],
  });
  const endpoint = await fixture.client.rest(webhookEndpoints.get, { endpoint_id: endpointId });
  expect(endpoint.body).toMatchObject({ status: 'paused', disabled_reason: null });
  expect(await acted('pause', 'Again')).toEqual({ ...place, status: 'paused', changed: false });
  expect((await newestActivity())?.after).toMatchObject({ reason: '620 undelivered' });
  await set("status = 'disabled', disabled_reason = 'gone'");
  const { status, text } = await act('pause');
  expect([status, JSON.parse(text)]).toMatchObject([409, { code: 'invalid_state_transition' }]);
});

test('probe sends the next delivery of a failing endpoint now', async () => {
  await postBalance();
  const { body } = await fixture.client.rest(deliveries.list, { endpoint_id: endpointId });
  const [delivery] = body.data;
  await set("breaker = 'open', breaker_since = now(), next_probe_at = now() + interval '1 hour'");
  await fixture.elsewhere.database.query(
    `UPDATE due SET due_at = now() + interval '1 hour', next_attempt_at = now() + interval '1 hour', lease_until = NULL,
       lease_token = NULL WHERE delivery_id = $1`,
    [delivery?.id],
  );
  expect(await acted('probe', 'The receiver is repaired')).toMatchObject({ changed: true, delivery_id: delivery?.id });
  const [due] = await fixture.elsewhere.database.query<{ manual: boolean }>(
    'SELECT due_at <= now() AND due_at <> next_attempt_at AS manual FROM due WHERE delivery_id = $1',
    [delivery?.id],
  );
  expect(due).toEqual({ manual: true });
  expect(await newestActivity()).toMatchObject({
    action: 'webhookEndpoints.probe',
    actor: { type: 'staff' },
    after: { delivery_id: delivery?.id, reason: 'The receiver is repaired' },
  });
  // It is due already.
  const again = await act('probe');
  expect([again.status, JSON.parse(again.text).detail]).toEqual([409, expect.stringContaining('being sent already')]);
});

test('probe says that an endpoint is not failing, or is not active', async () => {
  await postBalance();
  const healthy = await act('probe');
  expect([healthy.status, JSON.parse(healthy.text).detail]).toEqual([409, expect.stringContaining('not failing')]);
  await set("status = 'paused', consecutive_failures = 7");
  const paused = await act('probe');
  expect([paused.status, JSON.parse(paused.text)]).toMatchObject([409, { current_status: 'paused' }]);
  expect(await newestActivity()).toMatchObject({ action: 'webhookEndpoints.create' });
});

test('replay-failed replays the deliveries that failed permanently, and no others', async () => {
  for (let n = 0; n < 3; n++) await postBalance();
  await fixture.elsewhere.database.query(
    `WITH failed AS (
       UPDATE delivery SET status = 'failed', attempt_count = 1 WHERE id IN (
         SELECT id FROM delivery WHERE endpoint_id = $1 ORDER BY id LIMIT 2) RETURNING id
     )
     DELETE FROM due WHERE delivery_id IN (SELECT id FROM failed)`,
    [endpointId],
  );
  const form = () => console.send('GET', `/ops/endpoints/${endpointId}/replay-failed`, { cookie });
  expect((await form()).text).toMatch(/Now: <strong>2 events<\/strong>, the oldest of <time datetime="[^"]+">/);
  const outcome = await acted('replay-failed');
  expect(outcome).toMatchObject({ account_id: fixture.accountId, matched: 2, changed: true });
  const list = await fixture.client.rest(replays.list, { endpoint_id: endpointId });
  expect(list.body.data).toMatchObject([
    { id: Reflect.get(Object(outcome), 'replay_id'), kind: 'recover', matched: 2, created_by: { type: 'staff' } },
  ]);
  const { body } = await fixture.client.rest(activity.list, { action: 'webhookEndpoints.recover', limit: 1 });
  expect(body.data).toMatchObject([{ actor: { type: 'staff' }, after: { reason: 'Ticket 7' } }]);
});

test('the form of a replay says that there is nothing to send', async () => {
  const path = `/ops/endpoints/${endpointId}/replay-failed`;
  const form = await console.send('GET', path, { cookie });
  expect([form.status, form.text]).toEqual([200, expect.stringContaining('There are no such events now.')]);
});

test('the form of a replay does not wait for a count that gets no connection', async () => {
  const { elsewhere: core } = fixture;
  const forAccount: typeof core.database.forAccount = (...account) => ({
    ...core.database.forAccount(...account),
    transaction: () => Promise.withResolvers<never>().promise,
  });
  const busy = await openConsole({
    core: { ...core, database: { ...core.database, forAccount } },
    queueUrl: inject('pgUrl'),
    previewMs: 10,
  });
  const form = await busy.send('GET', `/ops/endpoints/${endpointId}/replay-failed`, { cookie });
  expect([form.status, form.text]).toEqual([200, expect.stringContaining('can’t be counted in time')]);
  await busy.close();
});

test('a JSON body is read like a form', async () => {
  const response = await fetch(`${console.url}/ops/endpoints/${endpointId}/pause`, {
    method: 'POST',
    headers: { cookie, origin: console.url, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'Ticket 8' }),
  });
  expect([response.status, await response.json()]).toMatchObject([200, { status: 'paused' }]);
  expect((await newestActivity())?.after).toMatchObject({ reason: 'Ticket 8' });
});

test('without a session, from another site or without a valid reason nothing happens', async () => {
  await set("consecutive_failures = 7, first_failed_at = now(), breaker = 'open'");
  await postBalance();
  for (const action of ['pause', 'probe', 'replay-failed']) {
    const closed = await act(action, undefined, { cookie: '' });
    expect([closed.status, JSON.parse(closed.text).code], action).toEqual([401, 'missing_credentials']);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const foreign = await act(action, undefined, headers);
      expect([foreign.status, JSON.parse(foreign.text).code], action).toEqual([403, 'csrf_failed']);
    }
    const reasons = [{}, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(501) }, { reason: 'a\u0000b' }];
    for (const form of reasons) {
      const { status, text } = await act(action, form);
      expect([status, JSON.parse(text).errors?.[0].pointer], JSON.stringify(form)).toEqual([422, '/reason']);
    }
  }
  await console.send('POST', '/ops/sign-out', { cookie });
  expect((await act('pause')).status).toBe(401);
  expect(await newestActivity()).toMatchObject({ action: 'webhookEndpoints.create' });
});

test('a signed-out session is refused although its sign-out cannot be read', async () => {
  const { elsewhere: core } = fixture;
  const query: typeof core.database.query = (sql, values) =>
    sql.includes('find_operator_sign_out')
      ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
      : core.database.query(sql, values);
  const cut = await openConsole({
    core: { ...core, database: { ...core.database, query } },
    queueUrl: inject('pgUrl'),
  });
  expect((await cut.send('GET', '/ops', { cookie })).status).toBe(200);
  const path = `/ops/endpoints/${endpointId}/pause`;
  expect((await cut.send('POST', path, { cookie, form: { reason: 'x' } })).status).toBe(503);
  await cut.close();
  expect(await newestActivity()).toMatchObject({ action: 'webhookEndpoints.create' });
});

test('an unknown or deleted endpoint is a 404, and so is an unknown action', async () => {
  expect((await act('delete')).status).toBe(404);
  for (const method of ['GET', 'POST']) {
    const path = '/ops/endpoints/we_00000000000000000000000000/pause';
    const headers = { accept: 'application/json' };
    expect((await console.send(method, path, { cookie, headers })).status).toBe(404);
  }
  await fixture.client.rest(webhookEndpoints.delete, { endpoint_id: endpointId });
  expect((await act('pause')).status).toBe(404);
});

test('the page asks for the reason, keeps what was typed after an error, and says what was done', async () => {
  const path = `/ops/endpoints/${endpointId}/pause`;
  const page = await console.send('GET', path, { cookie });
  expect([page.status, page.text.includes(`action="${path}"`), page.text.includes('maxlength="500"')]).toEqual([
    200,
    true,
    true,
  ]);
  expect(page.text).toContain('&lt;b&gt;Ledger&lt;/b&gt;');
  const typed = `"><script>${'x'.repeat(501)}`;
  const refused = await console.send('POST', path, { cookie, form: { reason: typed } });
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([422, true]);
  expect(refused.text).toContain('&quot;&gt;&lt;script&gt;xxx');
  const done = await console.send('POST', path, { cookie, form: { reason: 'Ticket 9' } });
  expect([done.status, done.text.includes('The endpoint is paused.')]).toEqual([200, true]);
  for (const { text } of [page, refused, done]) expect(text).not.toMatch(/hunter2|opensesame|whsec_/);
  expect(console.logLines.join('')).not.toMatch(/hunter2|opensesame|whsec_|Ticket 9/);
  expect((await console.send('GET', path, {})).headers.get('location')).toBe('/ops/sign-in');
});

test('the overview names account, company and results of an endpoint, and links its actions', async () => {
  const { companyId: company_id } = fixture;
  await fixture.client.rest(webhookEndpoints.update, { endpoint_id: endpointId, company_id });
  for (let n = 0; n < 4; n++) await postBalance();
  await set(
    "consecutive_failures = 7, first_failed_at = '2026-03-01T21:48:00Z', last_status_code = 502, last_event_id = 'evt_1'",
  );
  await fixture.elsewhere.database.query(
    `UPDATE delivery SET attempt_count = 1, status = CASE WHEN id = (SELECT min(id) FROM delivery WHERE endpoint_id = $1)
       THEN 'succeeded' ELSE 'pending' END
     WHERE id IN (SELECT id FROM delivery WHERE endpoint_id = $1 ORDER BY id LIMIT 3)`,
    [endpointId],
  );
  const { text } = await console.send('GET', '/ops', { cookie });
  const row = text.split('<tr>').find((one) => one.includes(endpointId)) ?? '';
  const company = await fixture.client.rest(operations.companies.get, { company_id });
  for (const shown of ['&lt;b&gt;Ledger&lt;/b&gt;', company.body.name, '2026-03-01 21:48 UTC', '>502<', '>33 %<']) {
    expect(row).toContain(shown);
  }
  for (const action of ['pause', 'probe', 'replay-failed']) {
    expect(row).toContain(`href="/ops/endpoints/${endpointId}/${action}"`);
  }
});
