// Risk: an internal comment is shown to third parties, a comment is reported twice or never, or an agent writes as a person.
import type { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../test/agent-fixture.ts';
import { claimAll } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import type { Context } from '../../verbs/context.ts';
import type { InputOf } from '../../verbs/verb.ts';
import { listActivity } from '../activity/list.ts';
import { attachAgent, detachAgent } from '../agents/attach.ts';
import { createAgent } from '../agents/create.ts';
import { pauseAgent, resumeAgent } from '../agents/pause.ts';
import { getEvent } from '../events/read.ts';
import { redeliverEvent } from '../events/redeliver.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { getEndpoint } from '../webhooks/read.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { createCase, getCase, updateCase } from './case.ts';
import { createComment, listComments } from './comments.ts';

type NewComment = InputOf<typeof operations.cases.comments.create>;
type Filter = Omit<Partial<InputOf<typeof operations.cases.comments.list>>, 'case_id'>;

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let given: AgentFixture;
let context: Context;
let case_id: string;
let reader: Context;
beforeEach(async () => {
  clock.advance(1000);
  given = await openAgent(fixture);
  ({ context } = given);
  case_id = (await createCase(context, { company_id: given.company_id, title: 'Notice' })).id;
  reader = { ...context, scope: 'read' };
});

const post = (more: Partial<NewComment> = {}, who = context) => createComment(who, { case_id, body: 'Hello', ...more });
const list = (more: Filter = {}, who = context) => listComments(who, { case_id, limit: 50, order: 'asc', ...more });
const posted = (who = context) => readFeed(who, 'case.comment_posted');
const hook = async (include_internal?: boolean) =>
  (await createEndpoint(context, { url: 'http://127.0.0.1:9/hook', ...(include_internal ? { include_internal } : {}) }))
    .id;
const sentTo = async (endpointId: string) => (await claimAll(fixture.core, endpointId)).map(({ body }) => body);

describe('the author', () => {
  test.each([
    [undefined, { type: 'customer', name: 'Test' }],
    [{}, { type: 'customer', name: 'Test' }],
    [{ name: 'Jo' }, { type: 'customer', name: 'Jo' }],
    [{ type: 'staff' }, { type: 'staff', name: 'Test' }],
    [
      { type: 'staff', name: 'Maria' },
      { type: 'staff', name: 'Maria' },
    ],
  ] as const)('a human key that says %j speaks as %j', async (author, reported) => {
    expect((await post(author === undefined ? {} : { author })).author).toEqual({ id: 'key_test', ...reported });
    expect((await posted()).map(({ data }) => data['author'])).toEqual([{ id: 'key_test', ...reported }]);
  });

  test('an agent writes as itself, without an event', async () => {
    const key = given.asAgent();
    const record = await post({}, { ...key, actor: { type: 'agent', id: given.agent_id, name: 'Bookkeeper' } });
    expect(record.author).toEqual({ type: 'agent', id: given.agent_id, name: 'Bookkeeper' });
    for (const type of ['staff', 'customer'] as const) {
      await expect(post({ author: { type } }, key)).rejects.toMatchObject({
        code: 'validation_failed',
        fields: [{ pointer: '/author', code: 'not_applicable' }],
      });
    }
    expect(await posted()).toEqual([]);
    expect((await given.traceOf(record.id)).audits).toHaveLength(1);
    expect(await getCase(context, { case_id })).toMatchObject({ comment_count: 1 });
  });

  test('an agent comments where it is attached and not paused', async () => {
    const { agent_id, company_id } = given;
    const key = given.asAgent();
    await pauseAgent(context, { agent_id, company_id });
    await expect(post({}, key)).rejects.toMatchObject({ code: 'invalid_state_transition' });
    await resumeAgent(context, { agent_id, company_id });
    await post({}, key);
    await detachAgent(context, { agent_id, company_id });
    await expect(post({}, key)).rejects.toMatchObject({ code: 'company_not_found' });

    const other = (await createAgent(context, { name: 'Other', provider: 'example' })).id;
    const elsewhere = (await createCase(context, { company_id, title: 'Elsewhere' })).id;
    await attachAgent(context, { agent_id: other, company_id, case_id: elsewhere });
    const ofOneCase = given.asAgent(other);
    await post({ case_id: elsewhere }, ofOneCase);
    await expect(post({}, ofOneCase)).rejects.toMatchObject({ code: 'company_not_found' });
    expect(await getCase(context, { case_id })).toMatchObject({ comment_count: 1 });
  });
});

describe('the case', () => {
  test('each of many concurrent comments is counted and reported once', async () => {
    await Promise.all(Array.from({ length: 12 }, () => getCase(context, { case_id })));
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) => post({ body: `n${i}` }, i % 3 === 0 ? given.asAgent() : context)),
    );
    const found = await getCase(context, { case_id });
    expect(found.comment_count).toBe(12);
    expect(found.last_comment_at).toBe(
      made
        .map(({ created_at }) => created_at)
        .sort()
        .at(-1),
    );
    const reported = (await posted()).map(({ data }) => data['id']);
    const ofPeople = made.filter(({ author }) => author.type === 'customer').map(({ id }) => id);
    expect([reported.length, reported.toSorted()]).toEqual([8, ofPeople.toSorted()]);
  });

  test('a concurrent comment and change are both kept', async () => {
    await Promise.all([post(), updateCase(context, { case_id, title: 'Changed' }), post()]);
    expect(await getCase(context, { case_id })).toMatchObject({ title: 'Changed', comment_count: 2 });
  });

  test('a closed case accepts comments and stays closed', async () => {
    await updateCase(context, { case_id, status: 'closed' });
    clock.advance(5000);
    const { created_at } = await post();
    expect(await getCase(context, { case_id })).toMatchObject({
      status: 'closed',
      comment_count: 1,
      last_comment_at: created_at,
      updated_at: created_at,
    });
    expect((await posted())[0]?.data['case']).toEqual({ id: case_id, title: 'Notice', status: 'closed' });
  });

  test('a comment leaves a waiting case waiting', async () => {
    await updateCase(context, { case_id, status: 'waiting' });
    await post();
    expect(await getCase(context, { case_id })).toMatchObject({ status: 'waiting' });
  });
});

describe('internal comments', () => {
  test('are sent only to endpoints with include_internal', async () => {
    const [plain, opted] = [await hook(), await hook(true)];
    await post({ body: 'secret plan', visibility: 'internal' });
    await post({ body: 'good news' });
    expect((await sentTo(plain)).map((body) => body.includes('good news'))).toEqual([true]);
    expect((await sentTo(opted)).map((body) => body.includes('secret plan'))).toEqual([true, false]);
  });

  test('an endpoint opts in and out; earlier comments are not sent later', async () => {
    const endpoint_id = await hook();
    expect(await getEndpoint(context, { endpoint_id })).toMatchObject({ include_internal: false });
    const internal = () => post({ visibility: 'internal' });
    await internal();
    const opted = await updateEndpoint(context, { endpoint_id, include_internal: true });
    expect(opted).toMatchObject({ include_internal: true });
    expect(await updateEndpoint(context, { endpoint_id, include_internal: true })).toEqual(opted);
    expect((await given.traceOf(endpoint_id)).audits.map(({ action }) => action)).toEqual([
      'webhookEndpoints.create',
      'webhookEndpoints.update',
    ]);
    const { id } = await internal();
    await updateEndpoint(context, { endpoint_id, include_internal: false });
    await internal();
    expect((await sentTo(endpoint_id)).map((body) => body.includes(id))).toEqual([true]);
  });

  test('are not redelivered to an endpoint without include_internal, by name or not', async () => {
    const [plain, opted] = [await hook(), await hook(true)];
    await post({ visibility: 'internal' });
    const event_id = (await posted())[0]?.id ?? '';
    const { data } = await redeliverEvent(context, { event_id });
    expect(data.map(({ endpoint_id }) => endpoint_id)).toEqual([opted]);
    const rejected = { code: 'invalid_state_transition', message: expect.stringContaining('include_internal') };
    await expect(redeliverEvent(context, { event_id, endpoint_id: plain })).rejects.toMatchObject(rejected);
    expect(await sentTo(plain)).toEqual([]);
    expect(await sentTo(opted)).toHaveLength(2);
  });

  test('are visible to human and agent keys, but to no key of scope read: in lists, feed, event and activity', async () => {
    const hidden = await post({ body: 'secret plan', visibility: 'internal' });
    const shown = await post({ body: 'good news' });
    const [secret] = await posted();
    const page = { limit: 50, order: 'asc' } as const;
    for (const who of [context, given.asAgent()]) {
      expect((await list({}, who)).data).toEqual([hidden, shown]);
      expect(await posted(who)).toHaveLength(2);
      expect(await getEvent(who, { event_id: secret?.id ?? '' })).toEqual(secret);
    }
    const activity = await listActivity(context, { ...page, action: 'cases.comments.create' });
    expect(activity.data.map(({ resource_id }) => resource_id)).toEqual([hidden.id, shown.id]);

    expect((await list({}, reader)).data).toEqual([shown]);
    expect((await list({ visibility: 'internal', include: 'total_count' }, reader)).total_count).toBe(0);
    expect((await posted(reader)).map(({ data }) => data['id'])).toEqual([shown.id]);
    await expect(getEvent(reader, { event_id: secret?.id ?? '' })).rejects.toMatchObject({ code: 'not_found' });
    const read = await listActivity(reader, page);
    expect(read.data.map(({ action }) => action)).toContain('cases.create');
    const everything = [read, await readFeed(reader), await list({}, reader), await getCase(reader, { case_id })];
    expect(JSON.stringify(everything)).not.toContain('secret plan');
    expect(JSON.stringify(everything)).not.toContain(hidden.id);
  });

  test('of an agent are stored without an event', async () => {
    await post({ visibility: 'internal' }, given.asAgent());
    expect(await posted()).toEqual([]);
    expect((await list({}, reader)).data).toEqual([]);
  });
});
