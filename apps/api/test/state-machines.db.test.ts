// Risk: a record goes where its life does not lead, or a repeated request tells everybody the same thing twice.

import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, type Input } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';
import { createStage, type Stage } from './event-causes.ts';
import { type Machine, machines } from './state-machines.ts';

const fixture = useApi();
let stage: Stage;
let otherKey: string;

beforeAll(async () => {
  stage = createStage(fixture, 'http://127.0.0.1:9/hook');
  otherKey = await fixture.otherPerson();
});

type Call = (move: string) => Promise<ApiResponse<Input>>;

/** A new record of the machine in this state, and what calls a move on it. */
async function recordIn({ make, moves, ways, id, ...machine }: Machine, state: string): Promise<Call> {
  const ids = await make(stage);
  const call: Call = async (name) => {
    const move = moves[name];
    if (!move) throw new Error(`There is no move ${name}.`);
    const { operation, input, byOther } = move;
    const options = byOther ? { key: otherKey } : {};
    const response = await fixture.client.rest(operation, { ...operation.example, ...input, ...ids }, options);
    return { ...response, body: Object(response.body) };
  };
  const way = ways[state];
  if (way && 'set' in way) {
    await fixture.elsewhere.database.query(`UPDATE ${way.table} SET ${way.set} WHERE id = $1`, [ids[id]]);
    return call;
  }
  for (const name of way ?? []) {
    const response = await call(name);
    expect(response.status, response.text).toBe(200);
    expect(machine.statusOf(response.body)).toBe(moves[name]?.to);
  }
  return call;
}

const count = (): Promise<number[]> => Promise.all([countRows(fixture, 'event'), countRows(fixture, 'audit_log')]);

describe.each(Object.entries(machines))('%s', (_, machine) => {
  const states = Object.keys(machine.next);

  test('every state can be reached, and every move leads to one', () => {
    expect(Object.keys(machine.ways).sort()).toEqual(states.toSorted());
    for (const { to } of Object.values(machine.moves)) expect(states).toContain(to);
    for (const name of Object.keys(machine.special ?? {})) {
      const [state = '', move = ''] = name.split(' ');
      expect([states.includes(state), move in machine.moves]).toEqual([true, true]);
    }
  });

  describe.each(states)('%s', (state) => {
    test.each(Object.entries(machine.moves))('%s', async (name, { to }) => {
      const call = await recordIn(machine, state);
      const [events, rows] = await count();
      const response = await call(name);
      const [eventsAfter = 0, rowsAfter = 0] = await count();
      const told = [eventsAfter - (events ?? 0), rowsAfter - (rows ?? 0)];
      const allowed = machine.next[state] ?? [];
      const special = machine.special?.[`${state} ${name}`];

      if (special === 'nothing' || (state === to && special === undefined)) {
        expect([response.status, machine.statusOf(response.body)], response.text).toEqual([200, state]);
        expect(told).toEqual([0, 0]);
      } else if (special === undefined && allowed.includes(to)) {
        expect([response.status, machine.statusOf(response.body)], response.text).toEqual([200, to]);
        expect(told[1]).toBe(1);
        expect((await call(name)).status).toBe(200);
        expect(await count()).toEqual([eventsAfter, rowsAfter]);
      } else {
        const code = special ?? 'invalid_state_transition';
        expect([response.status, response.problem.code], response.text).toEqual([409, code]);
        if (code === 'invalid_state_transition')
          expect(response.problem).toMatchObject({ current_status: state, allowed });
        expect(told).toEqual([0, 0]);
      }
    });
  });
});
