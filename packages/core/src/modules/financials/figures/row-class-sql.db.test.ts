// Risk: a list or a bulk change compares each row with thousands of ids, and takes minutes.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient } from '../../../../test/raw-client.ts';
import { createCompany } from '../../companies/create.ts';
import { readScope } from './read-runway.ts';
import { groupedRows, type RowClasses, rowClassJoin } from './row-class-sql.ts';

const fixture = useFixture(createTestClock('2026-11-25T15:00:00Z'));
const raw = useRawClient(fixture);

async function classesOf(): Promise<RowClasses> {
  const { context } = fixture;
  const { id } = await createCompany(context, { name: 'Plans Inc', timezone: 'UTC' });
  const scope = await readScope(context, id);
  return { ...scope, replaced: [], flowRules: '[]', pairs: [], cardIds: new Set(), largeInflows: [] };
}

test.each([
  ['of single rows', () => 'bank_transaction t'],
  ['of rows that are alike', groupedRows],
] as const)('a plan that is made for any values looks ids up by their hash: %s', async (_title, source) => {
  const classes = await classesOf();
  let count = 0;
  const bind = () => `$${++count}`;
  const from = `${source(classes, bind, 'true')} ${rowClassJoin(classes, bind)}`;
  const { rows } = await raw.query(`EXPLAIN (GENERIC_PLAN, VERBOSE) SELECT t.connection_id, c.row_class FROM ${from}`);
  const plan = rows.map((row) => String(Object.values(row)[0])).join('\n');
  expect(plan).toMatch(/hashed SubPlan/);
  expect(plan).not.toMatch(/\bid = ANY/);
});
