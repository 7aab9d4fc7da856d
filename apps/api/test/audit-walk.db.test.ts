// Risk: a change is made that nobody can trace, or one that is told twice.
import { operationList, operations } from '@finhook/contracts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';
import { inputFor, walkOrder } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';
import type { Answer } from './surface-client.ts';

interface AuditRow {
  account_id: string;
  action: string;
  actor: { type: string; id: string };
  ip: string;
}

let fixture: ApiFixture;
const answers = new Map<string, Answer>();

beforeAll(async () => {
  fixture = await openApiFixture(inject('pgUrl'));
  const seed: Seed = await seedTenant(fixture);
  // The seed's sync runs already, and one that runs is not begun again.
  const { sync } = operations.bank.connections;
  const idle = { ...seed, connection_id: await connectWithToken(seed.company_id) };
  for (const operation of walkOrder) {
    const input = inputFor(operation, operation === sync ? idle : seed);
    answers.set(operation.id, await fixture.client.rest(operation, input));
  }
});

afterAll(() => fixture.close());

async function connectWithToken(company_id: string): Promise<string> {
  const { create, setSecret } = operations.bank.connections;
  const { body } = await fixture.client.rest(create, { company_id, ...create.example });
  await fixture.client.rest(setSecret, { connection_id: body.id, secret: 'token-of-its-own' });
  return body.id;
}

function auditOf(requestId: unknown): Promise<AuditRow[]> {
  return fixture.elsewhere.database.query<AuditRow>(
    'SELECT account_id, action, actor, ip FROM audit_log WHERE request_id = $1',
    [requestId],
  );
}

describe.each(operationList)('$id', (operation) => {
  test('S28: a change leaves exactly one audit row, under the name of its operation; a query leaves none', async () => {
    const answer = answers.get(operation.id);
    expect(answer?.status, answer?.text).toBeLessThan(300);
    const rows = await auditOf(answer?.headers['x-request-id']);
    const me = await fixture.client.rest(operations.me.get);
    const row = {
      account_id: fixture.accountId,
      action: operation.id,
      actor: { type: 'api_key', id: me.body.api_key.id, name: me.body.api_key.name },
      ip: '127.0.0.1',
    };
    expect(rows).toEqual(operation.kind === 'mutation' ? [row] : []);
  });
});

test('S28: the activity log shows each of these changes with the events that it promises', async () => {
  for (const operation of operationList.filter(({ kind, emits }) => kind === 'mutation' && emits.length > 0)) {
    const { data } = (await fixture.client.rest(operations.activity.list, { action: operation.id })).body;
    // Opening the account is one change, with its first key and its first company.
    const asked = data.filter(({ actor }) => actor.type === 'api_key');
    const told = new Set<string>(asked.flatMap(({ events }) => events.map(({ type }) => type)));
    expect(told.size, operation.id).toBeGreaterThan(0);
    expect(
      [...told].filter((type) => !operation.emits.some((promised) => promised === type)),
      operation.id,
    ).toEqual([]);
  }
});
