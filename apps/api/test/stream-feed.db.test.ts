// Risk: a dashboard misses a change or gets one twice, when its stream breaks or writers commit out of order.
import { operations } from '@finhook/contracts';
import { type Core, cursorAt, handlers, readPosition, systemContext } from '@finhook/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { streamChanges } from '../src/stream/change-stream.ts';
import type { OnNews } from '../src/stream/feed-watch.ts';
import { useApi } from './api-fixture.ts';
import type { StreamBlock } from './event-stream.ts';
import { openStreamStage, type StreamStage } from './stream-stage.ts';

const WRITERS = 4;
const pace = { watchMs: 5 };

const fixture = useApi();
let stages: StreamStage[];
beforeAll(async () => {
  stages = [await openStreamStage(fixture.elsewhere, { pace }), await openStreamStage(fixture.elsewhere, { pace })];
});
afterAll(() => Promise.all(stages.map(({ app }) => app.close())));

interface Writer {
  insert(): Promise<void>;
  end(commits: boolean): Promise<void>;
}

const insertEvent = `
  WITH sq AS (UPDATE account_sequence SET position = position + 1 WHERE account_id = $2 RETURNING position)
  INSERT INTO event (id, account_id, type, created_at, body, position) SELECT $1, $2, $3, $4::timestamptz, $5, position FROM sq`;

/** An open transaction that stores its events last. */
async function openWriter(core: Core, accountId: string): Promise<Writer> {
  const outcome = Promise.withResolvers<boolean>();
  const events: string[] = [];
  const work = core.database.transaction(async (tx) => {
    const commits = await outcome.promise;
    for (const id of events) {
      const event = {
        id,
        type: 'company.created',
        created_at: new Date().toISOString(),
        account_id: accountId,
        data: {},
      };
      await tx.query(insertEvent, [id, accountId, event.type, event.created_at, JSON.stringify(event)]);
    }
    if (!commits) throw new Error('rolled back');
  });
  return {
    async insert() {
      events.push(core.newId('evt'));
    },
    async end(commits) {
      outcome.resolve(commits);
      await work.catch((error: unknown) => {
        if (commits) throw error;
      });
    },
  };
}

async function readFeed(core: Core, accountId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await handlers.events.list(systemContext(core, accountId, 'test'), {
      limit: 200,
      order: 'asc',
      after,
    });
    ids.push(...page.data.map(({ id }) => id));
    if (page.data.length === 0) return ids;
    after = page.next_cursor ?? undefined;
  }
}

const idsIn = ({ data = '{}' }: StreamBlock): string[] =>
  (JSON.parse(data).events ?? []).map(({ id }: { id: string }) => id);

/** Follows the stream like a browser: after each break it reconnects with the last id. */
function followWithBreaks(key: string, cutAfter: readonly number[]) {
  const told: string[] = [];
  const begun = Promise.withResolvers<void>();
  let [lastId, stopped] = ['', false];
  let hangUp = (): void => undefined;
  const done = (async () => {
    for (let round = 0; !stopped; round++) {
      const header = lastId === '' ? {} : { 'last-event-id': lastId };
      const stream = await stages[round % stages.length]?.open(key, header);
      if (!stream) throw new Error('There is no stage.');
      hangUp = () => stream.destroy();
      if (stopped) stream.destroy();
      let left = cutAfter[round] ?? Number.POSITIVE_INFINITY;
      for (let block = await stream.next(); block; block = await stream.next()) {
        expect(block.event).not.toBe('reset');
        told.push(...idsIn(block));
        lastId = block.id ?? lastId;
        if (lastId !== '') begun.resolve();
        if (left-- <= 0) stream.destroy();
      }
    }
  })();
  return {
    told,
    begun: begun.promise,
    done,
    stop: () => {
      stopped = true;
      hangUp();
    },
  };
}

const steps = fc.array(
  fc.record({ writer: fc.nat(WRITERS - 1), act: fc.constantFrom('insert', 'insert', 'insert', 'commit', 'rollback') }),
  { minLength: 10, maxLength: 60 },
);

test('a stream that breaks at any point sends each event once, in the order of the feed', async () => {
  const { elsewhere } = fixture;
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.nat(4), { maxLength: 12 }), async (script, cutAfter) => {
      const { accountId, apiKey } = await fixture.openTenant('Writers');
      const before = await readFeed(elsewhere, accountId);
      const reader = followWithBreaks(apiKey, cutAfter);
      await reader.begun;
      const writers = new Map<number, Writer>();
      for (const { writer, act } of script) {
        const open = writers.get(writer) ?? (await openWriter(elsewhere, accountId));
        writers.set(writer, open);
        if (act === 'insert') await open.insert();
        else {
          await open.end(act === 'commit');
          writers.delete(writer);
        }
      }
      for (const open of writers.values()) await open.end(true);
      const expected = (await readFeed(elsewhere, accountId)).slice(before.length);
      await expect.poll(() => reader.told.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(expected.length);
      reader.stop();
      await reader.done;
      expect(reader.told).toEqual(expected);
    }),
    { numRuns: 8, endOnFailure: true },
  );
}, 60_000);

test('an older poll does not move a reader back', async () => {
  const { accountId, apiKey } = await fixture.openTenant('Late');
  const database = fixture.elsewhere.database.forAccount(accountId);
  const start = await readPosition(database, accountId);
  let tell: OnNews = () => undefined;
  const over = new AbortController();
  const identify = async () => systemContext(fixture.elsewhere, accountId, 'test');
  const messages = streamChanges({
    cursor: cursorAt(start),
    context: await identify(),
    identify,
    watch: {
      follow: (_accountId, onNews) => {
        tell = onNews;
        return () => undefined;
      },
    },
    pace: { checkMs: 20, pingMs: 60 },
    signal: over.signal,
  });
  await fixture.client.as(apiKey).rest(operations.companies.create, { name: 'Once' });
  expect((await messages.next()).value).toContain('company.created');
  tell(start);
  expect((await messages.next()).value).toBe('event: ping\ndata: {}\n\n');
  // A test send has a position, and is not part of the feed.
  tell(String(BigInt(await readPosition(database, accountId)) + 1n));
  expect((await messages.next()).value).toMatch(/^event: ping\nid: /);
  over.abort();
});

test('more events than fit into a message arrive in several', async () => {
  const { accountId, apiKey } = await fixture.openTenant('Many');
  const stream = await stages[0]?.open(apiKey);
  const writer = await openWriter(fixture.elsewhere, accountId);
  await stream?.nextOf('ready');
  for (let i = 0; i < 230; i++) await writer.insert();
  await writer.end(true);
  const sizes: number[] = [];
  while (sizes.reduce((sum, size) => sum + size, 0) < 230) {
    sizes.push(idsIn((await stream?.nextOf('change')) ?? {}).length);
  }
  expect(sizes).toEqual([100, 100, 30]);
  stream?.destroy();
});
