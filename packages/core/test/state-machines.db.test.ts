// Risk: a record makes a forbidden transition, or a repeated request emits its event again.
import { beforeAll, describe, expect, test } from 'vitest';
import { useFixture } from './core-fixture.ts';
import { createStage, type Input, type Stage } from './operation-stage.ts';
import { type Machine, machines } from './state-machines.ts';

const fixture = useFixture();
let stage: Stage;
beforeAll(() => {
  stage = createStage(fixture.context, fixture.companyId);
});

const statusIn = (machine: Machine, output: object): unknown =>
  machine.statusOf ? machine.statusOf(output) : Reflect.get(output, 'status');

async function move(machine: Machine, name: string, ids: Input): Promise<object> {
  const { operation, input } = machine.moves[name] ?? {};
  if (!operation) throw new Error(`There is no move ${name}.`);
  return Object(await stage.run(operation, { ...input, ...ids }));
}

/** Ids of a new record of the machine in this state. */
async function recordIn(machine: Machine, state: string): Promise<Input> {
  const ids = await machine.make(stage);
  const way = machine.ways[state];
  if (way && 'set' in way) {
    await fixture.core.database.query(`UPDATE ${way.table} SET ${way.set} WHERE id = $1`, [ids[machine.id]]);
    return ids;
  }
  for (const name of way ?? []) await move(machine, name, ids);
  return ids;
}

async function readNewestEvent(): Promise<string | undefined> {
  const sql = 'SELECT type FROM event WHERE account_id = $1 ORDER BY position DESC LIMIT 1';
  return (await stage.context.database.query<{ type: string }>(sql, [stage.context.accountId]))[0]?.type;
}

async function countTraces(): Promise<number[]> {
  const [row] = await fixture.core.database.query<{ events: number; rows: number }>(
    'SELECT (SELECT count(*)::int FROM event) AS events, (SELECT count(*)::int FROM audit_log) AS rows',
  );
  return [row?.events ?? 0, row?.rows ?? 0];
}

describe.each(Object.entries(machines))('%s', (_, machine) => {
  const states = Object.keys(machine.next);

  test('every state is reachable, and every move leads to one', () => {
    expect(Object.keys(machine.ways).sort()).toEqual(states.toSorted());
    for (const { to } of Object.values(machine.moves)) expect(states).toContain(to);
    for (const name of Object.keys(machine.special ?? {})) {
      const [state = '', moved = ''] = name.split(' ');
      expect([states.includes(state), moved in machine.moves]).toEqual([true, true]);
    }
  });

  test.each(states.flatMap((state) => Object.entries(machine.moves).map(([name, { to }]) => ({ state, name, to }))))(
    '$state, $name',
    async ({ state, name, to }) => {
      const ids = await recordIn(machine, state);
      const [events = 0, rows = 0] = await countTraces();
      const moving = move(machine, name, ids);
      const allowed = machine.next[state] ?? [];
      const special = machine.special?.[`${state} ${name}`];
      if (special === 'nothing' || (state === to && special === undefined)) {
        expect(statusIn(machine, await moving)).toBe(state);
        expect(await countTraces()).toEqual([events, rows]);
      } else if (special === undefined && allowed.includes(to)) {
        expect(statusIn(machine, await moving)).toBe(to);
        const traces = await countTraces();
        expect(traces[1]).toBe(rows + 1);
        const { event } = machine.moves[name] ?? {};
        if (event !== undefined) expect(await readNewestEvent()).toBe(event);
        if (machine.special?.[`${to} ${name}`] === undefined) await move(machine, name, ids);
        expect(await countTraces()).toEqual(traces);
      } else {
        const code = special ?? 'invalid_state_transition';
        const extra = code === 'invalid_state_transition' ? { current_status: state, allowed } : {};
        await expect(moving).rejects.toMatchObject({ status: 409, code, extra });
        expect(await countTraces()).toEqual([events, rows]);
      }
    },
  );
});
