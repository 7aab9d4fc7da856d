// Risk: a field is lost or changed between the request, the response, the stored record, the event and the audit row.
import { existsSync } from 'node:fs';
import { type Operation, operationList, operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { useFixture } from './core-fixture.ts';
import { createStage, runOperation, type Stage } from './operation-stage.ts';
import { readFeed } from './read-all.ts';
import { readAudits } from './read-audits.ts';
import { type RecordCase, recordCases } from './record-cases.ts';

const { agents, companies } = operations;

/** Operations without a record in their response, event or audit row, and the tests of their fields. */
const testedElsewhere: Record<string, string> = {
  'companies.formation.completeStep': 'packages/core/src/modules/companies/formation/formation.db.test.ts',
  'cash.balances.upsert': 'packages/core/src/modules/cash/balances/upsert.db.test.ts',
  'bank.transactions.ingest': 'packages/core/src/modules/bank/transactions/ingest.db.test.ts',
  'bank.transactions.update': 'packages/core/src/modules/bank/transactions/update.db.test.ts',
  'bank.transactions.bulk': 'packages/core/src/modules/financials/transactions/bulk.db.test.ts',
  'bank.connections.sync': 'packages/core/src/modules/bank/connections/sync.db.test.ts',
  'bank.connections.setOwner': 'apps/api/test/connection-owner.db.test.ts',
  'financials.snapshots.upsert': 'packages/core/src/modules/financials/statements/upsert.db.test.ts',
  'compliance.resync': 'apps/api/test/compliance-dry-run.db.test.ts',
  'webhookEndpoints.test': 'packages/core/src/modules/deliveries/requested.db.test.ts',
  'webhookEndpoints.rotateSecret': 'packages/core/src/modules/webhooks/rotate-secret.db.test.ts',
  'webhookEndpoints.recover': 'packages/core/src/modules/replays/matches.db.test.ts',
  'webhookEndpoints.replay': 'packages/core/src/modules/replays/matches.db.test.ts',
  'agents.attach': 'packages/core/src/modules/agents/agents.db.test.ts',
  'agents.detach': 'packages/core/src/modules/agents/detach.db.test.ts',
  'runtimeSnapshots.put': 'packages/core/src/modules/agent-runtime/flags-and-snapshots.db.test.ts',
  'apiKeys.rotate': 'packages/core/src/modules/accounts/api-keys/rotate.db.test.ts',
  'fxRates.put': 'packages/core/src/modules/fx-rates/fx-rates.db.test.ts',
  'events.redeliver': 'packages/core/src/modules/deliveries/retry.db.test.ts',
};

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let stage: Stage;
beforeEach(async () => {
  clock.advance(1_000);
  const { context, companyId } = await fixture.otherAccount();
  stage = createStage(context, companyId);
});

/** Fields of a response besides the record's, and fields of the record that depend on time. */
const besides = ['result', 'warnings', 'secret', 'key', 'binding'];
const ofTheMoment = ['freshness', 'health', 'blocked_by'];
/** Their events name the changed fields. */
const namesChanges: readonly Operation[] = [companies.update, agents.update];
const without = (record: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** The operation that reads the record, and the name of the last id of its path; undefined without one. */
function readerOf({ operation, get }: RecordCase): { reader: Operation; idName: string } {
  const branch = operation.id.slice(0, operation.id.lastIndexOf('.'));
  const reader = get ?? operationList.find(({ id }) => id === `${branch}.get`);
  if (!reader) throw new Error(`Nothing reads what ${operation.id} makes.`);
  const [, idName = ''] = /\{(\w+)\}[^{}]*$/.exec(reader.http.path) ?? [];
  return { reader, idName: reader.id.endsWith('.list') ? '' : idName };
}

test('each operation with fields beside the ids of its path is in the table, or its fields are tested elsewhere', () => {
  const hasFields = ({ kind, input, http }: Operation) =>
    kind === 'mutation' &&
    !(input instanceof z.ZodObject && Object.keys(input.shape).every((name) => http.path.includes(`{${name}}`)));
  const covered = [...recordCases.map(({ operation }) => operation.id), ...Object.keys(testedElsewhere)];
  expect(covered.toSorted()).toEqual(
    operationList
      .filter(hasFields)
      .map(({ id }) => id)
      .toSorted(),
  );
  for (const path of Object.values(testedElsewhere))
    expect(existsSync(new URL(`../../../${path}`, import.meta.url)), path).toBe(true);
});

test.each(recordCases.map((row) => ({ name: row.operation.id, row })))(
  '$name: response, stored record, event and audit row have every field that was sent',
  async ({ row }) => {
    const { operation, prepare, sent, kept, eventOnly } = row;
    const ids = (await prepare?.(stage)) ?? {};
    const fields = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
    expect(Object.keys({ ...ids, ...sent }).toSorted()).toEqual(fields.toSorted());

    const { reader, idName } = readerOf(row);
    const read = async (id: unknown): Promise<object> => {
      const page = idName === '' ? { limit: 1, order: 'asc' } : { [idName]: id };
      const output = Object(await runOperation(stage.context, reader, { ...ids, ...page }));
      return idName === '' ? Object(output.data[0]) : output;
    };
    const isChange = idName in ids && operation.http.path.includes(`{${idName}}`);
    const before = isChange ? without(await read(ids[idName]), ...ofTheMoment) : null;
    clock.advance(1_000);
    const output = Object(await stage.run(operation, { ...ids, ...sent }));
    const id = output.id ?? ids[idName];
    expect('secret' in output || 'key' in output).toBe(operation.secretOutput ?? false);
    const record = without(output, ...besides);
    const expected = Object.entries({ ...ids, ...sent, ...kept?.(ids) });
    const named = expected.filter(([name, value]) => value !== undefined && name !== idName);
    expect(record).toMatchObject(Object.fromEntries(named));
    if ('updated_at' in record) expect(record['updated_at']).toBe(clock.now().toISOString());
    expect(await read(id)).toEqual(record);

    const ofRecord = { action: operation.id, resource_id: id };
    expect(await readAudits(stage.context, ofRecord, 'company_id', 'before', 'after')).toEqual([
      {
        company_id: operation === companies.create ? output.id : (output.company_id ?? ids['company_id'] ?? null),
        before: before && expect.objectContaining(before),
        after: expect.objectContaining(without(record, ...ofTheMoment)),
      },
    ]);
    const emits: readonly string[] = operation.emits;
    const feed = await readFeed(stage.context);
    const events = feed.filter(({ type, data }) => emits.includes(type) && data['id'] === output.id);
    expect(events.length > 0).toBe(operation.emits.length > 0);
    for (const { data } of events.slice(-1)) expect(data).toMatchObject({ ...record, ...eventOnly });
    for (const [name, actor] of Object.entries(record))
      if (actor !== null && name.endsWith('_by') && Reflect.get(before ?? {}, name) == null)
        expect(actor, name).toMatchObject(stage.context.actor);
    if (before === null) return;

    if (namesChanges.includes(operation)) {
      const silent = operation === agents.update ? ['metadata'] : [];
      const changed = named.map(([name]) => name).filter((name) => !(name in ids || silent.includes(name)));
      const { changed: toldOf, previous } = Object(events.at(-1)?.data);
      expect(toldOf.toSorted()).toEqual(changed.toSorted());
      expect(previous).toEqual(Object.fromEntries(changed.map((name) => [name, Reflect.get(before, name)])));
    }
    // Absent fields stay, and the same input with its keys in another order is no change.
    const nothing = Object.fromEntries(Object.keys(Object(operation.example)).map((name) => [name, undefined]));
    const repeats = operation.input.safeParse(ids).success ? [nothing, reversed(sent)] : [reversed(sent)];
    for (const input of repeats)
      expect(without(Object(await stage.run(operation, { ...input, ...ids })), ...besides)).toEqual(record);
    expect(await readAudits(stage.context, ofRecord, 'action')).toHaveLength(1);
    expect(await readFeed(stage.context)).toHaveLength(feed.length);
  },
);

/** The same value with the keys of its objects in another order. */
function reversed<T>(value: T): T;
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}
