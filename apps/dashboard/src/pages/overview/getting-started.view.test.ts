// Risk: the first command that a new user copies does not work or shows a key, or a step is called done that is not.
import { operationList } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { firstPosts, stepsOf } from './getting-started.view.ts';

const bodyOf = (command: string): object => JSON.parse(/-d '(.*)'$/.exec(command)?.[1] ?? '');

test('three commands name the company, this service and the variable that holds the key', () => {
  const posts = firstPosts('https://finhook.example', 'co_1', 'JPY', '2026-03-02');
  expect(posts).toHaveLength(3);
  for (const { command } of posts) {
    expect(command).toContain('https://finhook.example/api/v1/companies/co_1/');
    expect(command).toContain('"Authorization: Bearer $FINHOOK_API_KEY"');
    expect(bodyOf(command)).toMatchObject({ currency: 'JPY' });
  }
});

type Facts = Parameters<typeof stepsOf>[0];
const company = { id: 'co_1', base_currency: 'JPY' };
const nothing: Facts = { company, hasData: false, endpoints: [], keys: [] };
const endpoint = { id: 'we_1', company_id: null, status: 'active', last_success_at: null } as const;
const steps = (facts: Partial<Facts>) =>
  stepsOf({ ...nothing, ...facts }, 'https://finhook.example', new Date('2026-03-02T10:00:00Z'));
const done = (facts: Partial<Facts>) => steps(facts).flatMap(({ id, isDone }) => (isDone ? [id] : []));

test('a step is done by what the account has: data, an endpoint, a delivery that succeeded, a key of a provider', () => {
  expect(steps({}).map(({ id }) => id)).toEqual(['data', 'endpoint', 'delivery', 'key']);
  expect(done({})).toEqual([]);
  expect(done({ hasData: true })).toEqual(['data']);
  expect(done({ endpoints: [endpoint] })).toEqual(['endpoint']);
  expect(done({ endpoints: [{ ...endpoint, last_success_at: '2026-03-02T09:00:00.000Z' }] })).toEqual([
    'endpoint',
    'delivery',
  ]);
  expect(done({ keys: [{ company_ids: null }] })).toEqual(['key']);
});

test('endpoints and keys of another company count for nothing', () => {
  const elsewhere = { ...endpoint, company_id: 'co_2', last_success_at: '2026-03-02T09:00:00.000Z' };
  expect(done({ endpoints: [elsewhere], keys: [{ company_ids: ['co_2'] }] })).toEqual([]);
  expect(
    done({ endpoints: [{ ...elsewhere, company_id: 'co_1' }], keys: [{ company_ids: ['co_2', 'co_1'] }] }),
  ).toEqual(['endpoint', 'delivery', 'key']);
});

test('a step whose state is unknown, or that the key may not do, is left out', () => {
  expect(steps({ hasData: undefined, endpoints: undefined, keys: undefined })).toEqual([]);
});

test('a test event is sent to an endpoint that is active, and offered for no other', () => {
  const commandsOf = (status: 'active' | 'paused') =>
    steps({ endpoints: [{ ...endpoint, status }] }).find(({ id }) => id === 'delivery')?.commands;
  expect(commandsOf('active')?.[0]?.command).toContain('/webhook-endpoints/we_1/test');
  expect(commandsOf('paused')).toEqual([]);
});

test('an operation accepts the body of each command', () => {
  for (const { command } of steps({ endpoints: [endpoint] }).flatMap(({ commands }) => commands)) {
    const [, path = ''] = /\/api\/v1(\S+)/.exec(command) ?? [];
    const generic = path.replace('/co_1/', '/{company_id}/').replace('/we_1/', '/{endpoint_id}/');
    const operation = operationList.find(({ http }) => http.method === 'POST' && http.path === generic);
    const inPath = {
      ...(path.includes('co_1') && { company_id: 'co_1' }),
      ...(path.includes('we_1') && { endpoint_id: 'we_1' }),
    };
    const input = { ...inPath, ...bodyOf(command) };
    expect(operation?.input.safeParse(input), command).toMatchObject({ success: true });
  }
});
