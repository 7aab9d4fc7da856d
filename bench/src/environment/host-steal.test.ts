// Risk: figures of a round in which the host took the machine's time pass for those of the service.
import { expect, test } from 'vitest';
import { type MachineTicks, parseMachineTicks, runCalm } from './host-steal.ts';

/** Runs during which the host takes these percents, and what came of them. */
async function runWith(...stolen: readonly number[]) {
  const notes: string[] = [];
  const ticks = { all: 1_000, stolen: 50 };
  let runs = 0;
  const run = async () => {
    ticks.all += 200;
    ticks.stolen += 2 * (stolen[runs] ?? 0);
    return ++runs;
  };
  const copy = (): MachineTicks => ({ ...ticks });
  return { ...(await runCalm(run, { note: (text) => void notes.push(text), ticks: copy })), notes };
}

test('a calm round is measured once', async () => {
  expect(await runWith(3)).toEqual({ result: 1, stolen: 3, notes: [] });
});

test('a round in which the host takes more than 3 % is repeated, and its last figures count', async () => {
  const again = expect.stringContaining('4.0 % of the machine');
  expect(await runWith(4, 1)).toEqual({ result: 2, stolen: 1, notes: [again] });
});

test('after two repetitions the figures are kept with a note', async () => {
  const { result, stolen, notes } = await runWith(9, 9, 5, 0);
  expect([result, stolen, notes.length, notes[2]]).toEqual([3, 5, 3, expect.stringContaining('5.0 %')]);
  expect(notes[2]).toContain('kept');
});

test('steal is the eighth number of /proc/stat, and guests are not counted twice', () => {
  expect(parseMachineTicks('cpu  10 1 5 80 2 1 1 4 7 0\ncpu0 1 2 3')).toEqual({ all: 104, stolen: 4 });
});
