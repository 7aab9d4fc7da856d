// Risk: a busy endpoint pays for a turn with each event, or a turn that stays keeps others from their places.
import { expect, test } from 'vitest';
import { answer, ok, setUp } from '../../test/slice-fixture.ts';

/** A slice of `due` deliveries, while whose first one is sent three more come due; how many it sent. */
async function sentBy(options: Parameters<typeof setUp>[0], takesMs = 0): Promise<number> {
  const { send = async () => ok } = options;
  const slice = setUp({
    ...options,
    send: (n) => {
      if (n === 1) slice.add(3);
      slice.now.ms += takesMs;
      return send(n);
    },
  });
  const report = await slice.run();
  expect(report).toMatchObject({ more: false, open: false });
  expect(slice.recorded).toHaveLength(slice.sends());
  return slice.sends();
}

test('where several were due, what comes due until they are recorded is sent by the same turn', async () => {
  expect(await sentBy({ due: 2 })).toBe(5);
});

test.each([
  ['only one was due', { due: 1 }],
  ['somebody waits for its place', { due: 2, isWanted: true }],
  ['one of them failed', { due: 2, send: async (n: number) => (n === 2 ? answer(500) : ok) }],
  ['its sends are bounded', { due: 2, flow: { maxConcurrency: 8 } }],
  ['it is spared', { due: 2, flow: { gated: false, spared: true } }],
])('a turn ends with what it claimed when %s', async (_why, options) => {
  expect(await sentBy(options)).toBe(options.due);
});

test('a turn looks again for a second at most', async () => {
  expect(await sentBy({ due: 2 }, 600)).toBe(2);
});
