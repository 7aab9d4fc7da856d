// Risk: a statement without row-level security reads or changes rows of other accounts.
import { globSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { statements } from '../src/db/queryable.ts';
import { useFixture } from './core-fixture.ts';
import { useRawClient } from './raw-client.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);

/** Statements over all accounts. None is part of a request, a claim or a record of a known account. */
const overAllAccounts: Readonly<Record<string, string>> = {
  find_api_key: 'authentication: a hash tells the account',
  find_session: 'authentication: a hash tells the account',
  find_sign_in_link: 'authentication: a hash tells the account',
  find_pending_device_login: 'authentication: a hash tells the login, which has no account yet',
  find_device_login: 'authentication: a hash tells the account',
  insert_device_login: 'removes expired logins of all accounts, except those that move',
  find_operated_endpoint: 'an operator names the endpoint only',
  find_sync_account: 'a job names its run only',
  find_due_endpoints: 'reconciler',
  find_open_syncs: 'reconciler',
  find_due_replay: 'replayer',
  read_next_replay_step: 'replayer',
  cancel_due_of_deleted: 'sweep; a request runs it for its account',
  end_secret_overlaps: 'sweep',
  expire_bank_approvals: 'sweep',
  find_backlogs: 'sweep',
  find_ended_overlaps: 'sweep',
  find_expired_agent_approvals: 'sweep',
  find_failing_endpoints: 'sweep',
  find_outdated_rules: 'sweep',
  read_unsealed_audit: 'audit chain, one per server',
  read_sealed_audit: 'audit chain, one per server',
  read_unlisted_audit: 'audit chain, one per server',
  count_unsealed_audit: 'audit chain, one per server',
  count_deliveries_page: 'gauge',
  count_recent_outcomes: 'gauge',
  read_backlog: 'gauge',
  read_due_work: 'gauge',
  read_unhealthy_endpoints: 'gauge',
  read_unfinished_moves: 'gauge',
};

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Conflict Resolution'?: string;
  'Conflict Filter'?: string;
  'Conflict Arbiter Indexes'?: string[];
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

let made: [text: string, of: { name: string; isSystem: boolean }][];
/** The column that names the account, by table and partition. */
let ownerColumns: ReadonlyMap<string, string>;
/** Indexes that contain it. */
let ownerIndexes: ReadonlySet<string>;

beforeAll(async () => {
  // Other tests of the same process have statements of their own.
  const ofTests = new Set<string>();
  const core = new URL('../', import.meta.url);
  for (const file of globSync('{src,test}/**/*.ts', { cwd: core })) {
    const source = readFileSync(new URL(file, core), 'utf8');
    const names = [...source.matchAll(/tatement\(\s*['`](\w+)/g)].map(([, name = '']) => name);
    if (file.endsWith('.test.ts')) for (const name of names) ofTests.add(name);
    else if (names.length > 0) await import(new URL(file, core).href);
  }
  made = [...statements].filter(([, { name }]) => !ofTests.has(name));
  const { rows } = await raw.query<{ name: string; column: string; indexes: string[] }>(
    `SELECT c.relname AS name, a.attname AS column,
       ARRAY(SELECT i.indexrelid::regclass::text FROM pg_index i WHERE i.indrelid = c.oid AND a.attnum = ANY (i.indkey)) AS indexes
     FROM pg_class c JOIN pg_attribute a
       ON a.attrelid = c.oid AND a.attname = CASE c.relname WHEN 'account' THEN 'id' ELSE 'account_id' END AND a.attnotnull
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
  );
  ownerColumns = new Map(rows.map(({ name, column }) => [name, column]));
  ownerIndexes = new Set(rows.flatMap(({ indexes }) => indexes));
});

/**
 * The tables that a statement reads or changes for whatever account: no condition of its plan compares their account with
 * a value, or with that of a table for which one does. A row that is inserted always has its account.
 */
async function unnamedIn(text: string): Promise<string[]> {
  const { rows } = await raw.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (GENERIC_PLAN, VERBOSE, COSTS OFF, FORMAT JSON) ${text}`,
  );
  const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => nodesOf(plan)));
  const unnamed = new Map<string, string>();
  for (const { 'Node Type': type, 'Relation Name': table = '', Alias: alias } of nodes) {
    const column = ownerColumns.get(table);
    // An update or delete changes rows that a node below it has scanned.
    if (column !== undefined && type !== 'ModifyTable') unnamed.set(`${alias}.${column}`, table);
  }
  const equalities = [...JSON.stringify(rows).matchAll(/([\w.$]+) = (?:ANY )?\(*([\w.$]+)/g)];
  for (let before = -1; before !== unnamed.size; ) {
    before = unnamed.size;
    for (const [, a = '', b = ''] of equalities) {
      if (!unnamed.has(a)) unnamed.delete(b);
      else if (!unnamed.has(b)) unnamed.delete(a);
    }
  }
  return [...unnamed.values(), ...nodes.flatMap(overwritten)];
}

/** Table of an upsert that may change a row of another account. */
function overwritten(node: Plan): string[] {
  const { 'Relation Name': table = '', 'Conflict Arbiter Indexes': indexes = [] } = node;
  const isSafe = node['Conflict Filter'] === 'false' || indexes.some((index) => ownerIndexes.has(index));
  return node['Conflict Resolution'] === 'UPDATE' && ownerColumns.has(table) && !isSafe ? [table] : [];
}

test('a statement for several accounts names the account for each table that it reads or changes', async () => {
  const problems: string[] = [];
  const listed = new Set(Object.keys(overAllAccounts));
  for (const [text, { name, isSystem }] of made) {
    if (!isSystem) continue;
    const tables = [...new Set(await unnamedIn(text))].join(', ');
    if (tables === '' && listed.has(name)) problems.push(`${name} names its accounts: take it off the list.`);
    if (tables === '' || listed.delete(name)) continue;
    problems.push(
      `${name} names no account for ${tables}: add a condition on account_id (an array beside the ids where a batch ` +
        'crosses accounts), or run it with database.forAccount(id) and make it with statement(). Only what has to run ' +
        'over all accounts goes on the list, with its reason.',
    );
  }
  for (const name of listed) problems.push(`${name} is on the list and not a systemStatement.`);
  expect(problems).toEqual([]);
});

test('every other statement runs only under row-level security', async () => {
  const { database } = fixture.core;
  const bound = made.filter(([, { isSystem }]) => !isSystem);
  expect(bound.length).toBeGreaterThan(50);
  for (const [text, { name }] of bound) {
    const message = `The statement ${name} runs for an account.`;
    await expect(database.query(text), name).rejects.toThrow(message);
    await expect(
      database.transaction((tx) => tx.query(text)),
      name,
    ).rejects.toThrow(message);
  }
});

test('no two statements share a name', () => {
  const names = made.map(([, { name }]) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test.each([
  [
    'SELECT FROM due d JOIN replay_open o ON o.delivery_id = d.delivery_id WHERE d.account_id = ANY ($1)',
    ['replay_open'],
  ],
  [
    `INSERT INTO endpoint_flow (endpoint_id, account_id) VALUES ($1, $2)
     ON CONFLICT (endpoint_id) DO UPDATE SET head_id = NULL`,
    ['endpoint_flow'],
  ],
])('the test finds what is not named: %s', async (text, tables) => {
  expect((await unnamedIn(text)).toSorted()).toEqual(tables);
});
