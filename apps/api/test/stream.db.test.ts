// Risk: a dashboard shows old figures, continues after its session ended, or keeps a process from stopping.
import { operations } from '@finhook/contracts';
import { type Context, DomainError } from '@finhook/core';
import { afterEach, describe, expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import { type Browser, openBrowser } from './sign-in.ts';
import { createKeyIdentification, openStreamStage, type StreamStage } from './stream-stage.ts';

const fixture = useApi();
const stages: StreamStage[] = [];
afterEach(async () => {
  await Promise.all(stages.splice(0).map(({ app }) => app.close()));
});

async function openStage(options: Parameters<typeof openStreamStage>[1] = {}): Promise<StreamStage> {
  const stage = await openStreamStage(fixture.elsewhere, options);
  stages.push(stage);
  return stage;
}

/** Signs in and opens the stream, as a browser does. */
async function openSession(apiKey: string): Promise<Browser & { stream: EventStream }> {
  const browser = await openBrowser(fixture.client, apiKey);
  return { ...browser, stream: await openEventStream(`${fixture.url}/dashboard/stream`, { cookie: browser.cookie }) };
}

const balance = (company_id: string) => ({ ...operations.cash.balances.upsert.example, company_id });

describe('the events of a stream', () => {
  test('a balance posted to another process is sent without its content', async () => {
    const other = (await fixture.openSecondApi()).as(fixture.apiKey);
    const { stream } = await openSession(fixture.apiKey);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(await stream.next()).toEqual({ retry: '1000' });
    const ready = await stream.next();
    expect(ready).toEqual({ event: 'ready', id: expect.stringMatching(/^[\w-]+$/), data: '{}' });
    await other.rest(operations.cash.balances.upsert, balance(fixture.companyId));
    const { id, data = '' } = await stream.nextOf('change');
    const feed = await fixture.client.rest(operations.events.list, { order: 'desc', type: 'bank.balance.updated' });
    const [event] = feed.body.data;
    expect(JSON.parse(data)).toEqual({
      events: [
        { id: event?.id, type: 'bank.balance.updated', company_id: fixture.companyId, created_at: event?.created_at },
      ],
    });
    expect(id).not.toBe(ready?.id);
    stream.destroy();
  });

  test('a limited session gets events of its companies only, and a read key no internal ones', async () => {
    const { client, keyOf, apiKey } = await fixture.openTenant('Narrow');
    const { body } = await client.rest(operations.companies.create, { name: 'Hidden' });
    const seen = await client.rest(operations.companies.create, { name: 'Seen' });
    const stage = await openStage({ pace: { watchMs: 10, pingMs: 200 } });
    const [narrow, read, all] = [await keyOf('human', { company_ids: [seen.body.id] }), await keyOf('read'), apiKey];
    const streams = await Promise.all([narrow, read, all].map((key) => stage.open(key)));
    const readies = await Promise.all(streams.map((stream) => stream.nextOf('ready')));
    const commented = await client.rest(operations.cases.create, { company_id: body.id, title: 'Case' });
    await client.rest(operations.cases.comments.create, { case_id: commented.body.id, body: 'x', internal: true });
    await client.rest(operations.cash.balances.upsert, balance(seen.body.id));
    const typesOf = async (stream: EventStream | undefined) => {
      const types: string[] = [];
      while (types.at(-1) !== 'bank.balance.updated') {
        const { events } = JSON.parse((await stream?.nextOf('change'))?.data ?? '');
        types.push(...events.map(({ type }: { type: string }) => type));
      }
      return types;
    };
    expect(await typesOf(streams[0])).toEqual(['bank.balance.updated']);
    const [forRead, forAll] = [await typesOf(streams[1]), await typesOf(streams[2])];
    const feed = await client.as(read).rest(operations.events.list, { order: 'asc', after: readies[1]?.id });
    expect(forRead).toEqual(feed.body.data.map(({ type }: { type: string }) => type));
    expect(forRead.length).toBeLessThanOrEqual(forAll.length);
    // What the narrowed reader may not see moves it on all the same.
    await client.rest(operations.cash.balances.upsert, { ...balance(body.id), as_of: '2026-02-02' });
    const moved = async () => {
      const ping = await streams[0]?.next();
      expect(ping?.event).toBe('ping');
      return ping?.id;
    };
    await expect.poll(moved, { timeout: 10_000 }).toMatch(/^[\w-]+$/);
    for (const stream of streams) stream.destroy();
  });

  test('a stream without events sends pings', async () => {
    const stage = await openStage({ pace: { pingMs: 20 } });
    const stream = await stage.open(fixture.apiKey);
    await stream.nextOf('ready');
    expect((await stream.next())?.event).toBe('ping');
    expect((await stream.next())?.event).toBe('ping');
    stream.destroy();
  });

  test('an unknown cursor causes a reset, and then new events', async () => {
    const stage = await openStage({ pace: { watchMs: 10 } });
    const ahead = Buffer.from(JSON.stringify(['99999999999999', ''])).toString('base64url');
    for (const lastId of ['nonsense', ahead]) {
      const stream = await stage.open(fixture.apiKey, { 'last-event-id': lastId });
      expect([await stream.next(), (await stream.next())?.event, (await stream.next())?.event]).toEqual([
        { retry: '1000' },
        'reset',
        'ready',
      ]);
      stream.destroy();
    }
  });

  test('a page that reopens its stream sends the cursor in the URL', async () => {
    const stage = await openStage({ pace: { watchMs: 10 } });
    const first = await stage.open(fixture.apiKey);
    const { id = '' } = await first.nextOf('ready');
    first.destroy();
    await fixture.client.rest(operations.companies.create, { name: 'Between' });
    const again = await openEventStream(`${stage.url}?after=${id}`, { authorization: `Bearer ${fixture.apiKey}` });
    const { data = '' } = await again.nextOf('change');
    expect(JSON.parse(data).events[0].type).toBe('company.created');
    again.destroy();
  });
});

describe('access to a stream', () => {
  test('needs a session, a key is not enough', async () => {
    const headersOf: Record<string, string>[] = [
      {},
      { cookie: '__Host-finhook_session=made-up' },
      { authorization: `Bearer ${fixture.apiKey}` },
    ];
    for (const headers of headersOf) {
      expect((await openEventStream(`${fixture.url}/dashboard/stream`, headers)).response.statusCode).toBe(401);
    }
  });

  test('ends with its session and with its key, with an end message', async () => {
    const key = await fixture.keyOf('human');
    const signedOut = await openSession(fixture.apiKey);
    const revoked = await openSession(key);
    for (const { stream } of [signedOut, revoked]) await stream.nextOf('ready');
    const ended = [signedOut, revoked].map(async ({ stream }) => [await stream.nextOf('end'), await stream.next()]);
    await fixture.client.send('DELETE', '/dashboard/session', signedOut.options());
    const { body } = await fixture.client.rest(operations.apiKeys.list, { limit: 200 });
    const revocable = body.data.find(({ name }: { name: string }) => name === 'human');
    await fixture.client.rest(operations.apiKeys.revoke, { key_id: revocable?.id });
    for (const [end, after] of await Promise.all(ended)) {
      expect([end, after]).toEqual([{ event: 'end', data: '{"reason":"signed_out"}' }, undefined]);
    }
  });

  test('access is checked again while it is open', async () => {
    const { client, apiKey, accountId } = await fixture.openTenant('Changing');
    const { body } = await client.rest(operations.companies.create, { name: 'Lost' });
    const byKey = createKeyIdentification(fixture.elsewhere);
    let companyIds: string[] | undefined;
    let looks = 0;
    const identify = async (...args: Parameters<typeof byKey>): Promise<Context> => {
      const context = await byKey(...args);
      looks += 1;
      return { ...context, access: { ...context.access, companyIds } };
    };
    /** Resolves once the session was looked up twice more: the first of the two may have begun before. */
    const looked = async () => {
      const before = looks;
      await expect.poll(() => looks, { interval: 5 }).toBeGreaterThan(before + 1);
    };
    const stage = await openStage({ identify, pace: { watchMs: 10, checkMs: 20, pingMs: 20 } });
    const stream = await stage.open(apiKey);
    await stream.nextOf('ready');
    companyIds = ['co_other'];
    await looked();
    await client.rest(operations.cash.balances.upsert, balance(body.id));
    // A ping with an id is beyond an event that was not told.
    let passed: string | undefined;
    while (passed === undefined) passed = (await stream.nextOf('ping')).id;
    companyIds = undefined;
    await looked();
    await client.rest(operations.companies.create, { name: 'After' });
    const { events } = JSON.parse((await stream.nextOf('change')).data ?? '');
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['company.created']);
    expect(accountId).not.toBe(fixture.accountId);
    stream.destroy();
  });
});

describe('limits of streams', () => {
  test('an account can open 64, which take no request slots and are released', async () => {
    const stage = await openStage();
    const neighbour = await fixture.openTenant('Neighbour');
    const streams = await Promise.all(Array.from({ length: 64 }, () => stage.open(fixture.apiKey)));
    expect(streams.map(({ response }) => response.statusCode)).toEqual(Array.from({ length: 64 }, () => 200));
    const { statusCode, headers } = (await stage.open(fixture.apiKey)).response;
    // Not a time of the rate limit: that says nothing about dashboards.
    expect([statusCode, headers['retry-after']]).toEqual([429, '5']);
    expect((await stage.open(neighbour.apiKey)).response.statusCode).toBe(200);
    for (const stream of streams) stream.destroy();
    await expect.poll(async () => (await stage.open(fixture.apiKey)).response.statusCode).toBe(200);
  });

  test('closing a process ends its streams', async () => {
    const stage = await openStage();
    const streams = await Promise.all(Array.from({ length: 8 }, () => stage.open(fixture.apiKey)));
    for (const stream of streams) await stream.nextOf('ready');
    await stage.app.close();
    for (const stream of streams) expect(await stream.next()).toBeUndefined();
  });

  test('a reader that reads nothing is cut, and its buffer does not grow', async () => {
    const { apiKey, accountId } = await fixture.openTenant('Slow');
    const stage = await openStage({ pace: { watchMs: 10, drainMs: 300 } });
    const closed = Promise.withResolvers<void>();
    let longest = 0;
    stage.app.server.on('connection', (socket) => {
      const look = setInterval(() => (longest = Math.max(longest, socket.writableLength)), 5);
      socket.once('close', () => {
        clearInterval(look);
        closed.resolve();
      });
    });
    const stream = await stage.open(apiKey);
    stream.response.pause();
    // More than the buffers of the two sockets hold.
    await fixture.elsewhere.database.query(
      `WITH sq AS (
         UPDATE account_sequence SET position = position + 100000 WHERE account_id = $1 RETURNING position - 100000 AS before
       )
       INSERT INTO event (id, account_id, type, created_at, position, body)
       SELECT made.id, $1::text, 'company.created', now(), sq.before + made.n, json_build_object('id', made.id, 'type', 'company.created',
         'created_at', now(), 'account_id', $1::text, 'data', '{}'::json)
       FROM sq, (SELECT n, $2::text || lpad(n::text, 8, '0') AS id FROM generate_series(1, 100000) n) made`,
      [accountId, fixture.elsewhere.newId('evt').slice(0, -8)],
    );
    await closed.promise;
    expect(longest).toBeLessThan(256 * 1024);
    stream.destroy();
  });
});

test('streams wait while the database is down, and continue afterwards', async () => {
  const core = fixture.elsewhere;
  let away = false;
  const query: typeof core.database.query = (sql, values) =>
    away
      ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
      : core.database.query(sql, values);
  const forAccount: typeof core.database.forAccount = (...args) => {
    const bound = core.database.forAccount(...args);
    return {
      ...bound,
      query: (sql, values) =>
        away ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })) : bound.query(sql, values),
    };
  };
  const flaky = { ...core, database: { ...core.database, query, forAccount } };
  const byKey = createKeyIdentification(flaky);
  const identify: typeof byKey = (request) =>
    away ? Promise.reject(new DomainError('unavailable', { detail: 'away' })) : byKey(request);
  const stage = await openStreamStage(flaky, { identify, pace: { watchMs: 10, checkMs: 20, pingMs: 50 } });
  stages.push(stage);
  const stream = await stage.open(fixture.apiKey);
  await stream.nextOf('ready');
  away = true;
  // A read in flight when the database went down can still find what is posted now.
  await expect.poll(() => stage.logLines.some((line) => line.includes('cannot be read'))).toBe(true);
  await fixture.client.rest(operations.companies.create, { name: 'Meanwhile' });
  for (let i = 0; i < 5; i++) expect((await stream.next())?.event).toBe('ping');
  expect(stage.logLines.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
  away = false;
  const { data = '' } = await stream.nextOf('change');
  expect(JSON.parse(data).events.at(-1).type).toBe('company.created');
  stream.destroy();
});
