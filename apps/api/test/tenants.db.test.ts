// Risk: a record of another customer is told of, or changed, by way of an id that a path or a body names.
import { type Operation, operationList } from '@finhook/contracts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ApiResponse, Input } from './api-client.ts';
import { type ApiFixture, openApiFixture, pathNames, waitForSettledFeed } from './api-fixture.ts';
import { anonymousProblem, idsFor, inputFor } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';

let fixture: ApiFixture;
let seed: Seed;
let foreign: Seed;
let foreignAccount: string;

beforeAll(async () => {
  fixture = await openApiFixture(inject('pgUrl'));
  seed = await seedTenant(fixture);
  const other = await fixture.openTenant('Other');
  foreignAccount = other.accountId;
  foreign = await seedTenant(other);
  await waitForSettledFeed(fixture);
});

afterAll(() => fixture.close());

const isId = (name: string): boolean => name.endsWith('_id');
const unknownLike = (id: unknown): string => `${String(id).split('_')[0]}_${'0'.repeat(26)}`;

/** Fields beside the path that name a record of the seed; `replaces` is a connection's word for one. */
function bodyIds({ kind, input, http }: Operation): string[] {
  const shape: unknown = Reflect.get(input, 'shape');
  const names = Object.keys(Object(shape)).filter((name) => !http.path.includes(`{${name}}`));
  return kind === 'mutation' ? names.filter((name) => isId(name) && name in seedNames) : [];
}
const seedNames = {
  company_id: true,
  case_id: true,
  agent_id: true,
  action_id: true,
  connection_id: true,
  endpoint_id: true,
} satisfies Partial<Record<keyof Seed, true>>;

const withBodyIds = operationList.filter((operation) => bodyIds(operation).length > 0);

// When a key or session was last used is written later, in the background.
const record = "(to_jsonb(t) - ARRAY['last_used_at', 'last_used_ip', 'last_seen_at'])::text";

/** A digest of what an account has in each table. */
async function readAccount(accountId: string): Promise<Record<string, string>> {
  const { database } = fixture.elsewhere;
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN pg_class ON relname = table_name AND NOT relispartition
     WHERE table_schema = 'public' AND column_name = 'account_id' ORDER BY 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ digest: string | null }>(
      `SELECT md5(string_agg(${record}, '|' ORDER BY ${record})) AS digest FROM ${name} t WHERE account_id = $1`,
      [accountId],
    );
    digests[name] = row?.digest ?? '';
  }
  return digests;
}

test('S1: whatever is called with another account’s ids, its records stay as they are and are not told of', async () => {
  const before = await readAccount(foreignAccount);
  expect(Object.values(before).filter((digest) => digest !== '').length).toBeGreaterThan(15);
  const ids = Object.values(foreign).filter((id) => id.includes('_') && id.length > 26);
  for (const operation of operationList) {
    const input: Input = { ...inputFor(operation, seed), ...idsFor(operation, foreign) };
    for (const name of bodyIds(operation)) if (name in input) input[name] = Reflect.get(foreign, name);
    const named = Object.values(input);
    for (const protocol of ['rest', 'trpc'] as const) {
      const response = await fixture.client[protocol](operation, input);
      if (pathNames(operation).some(isId)) expect(response.status, operation.id).toBe(404);
      // A response may repeat, in `instance`, what was asked for.
      for (const id of ids) if (!named.includes(id)) expect(response.text, operation.id).not.toContain(id);
    }
  }
  expect(await readAccount(foreignAccount)).toEqual(before);
});

describe.each(withBodyIds)('$id', (operation) => {
  test.each(bodyIds(operation))(
    'S1: another account’s %s in its body is rejected like an unknown one',
    async (name) => {
      const own = inputFor(operation, seed);
      const hide = (response: ApiResponse, id: string): string =>
        JSON.stringify(anonymousProblem(response)).replaceAll(id, 'ID');
      const theirs = String(Reflect.get(foreign, name));
      for (const protocol of ['rest', 'trpc'] as const) {
        const known = await fixture.client[protocol](operation, { ...own, [name]: theirs });
        const unknown = await fixture.client[protocol](operation, { ...own, [name]: unknownLike(theirs) });
        expect([404, 409, 422], known.text).toContain(known.status);
        expect(hide(known, theirs)).toBe(hide(unknown, unknownLike(theirs)));
      }
    },
  );
});
