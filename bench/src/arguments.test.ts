// Risk removed: a mistyped option that silently measures something else than was asked.
import { describe, expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import { scenarioIds } from './report/figure.ts';

describe('parseArguments', () => {
  test('without options measures everything', () => {
    expect(parseArguments([])).toEqual({
      quick: false,
      full: false,
      only: scenarioIds,
      queue: undefined,
      json: undefined,
      markdown: undefined,
      profile: undefined,
    });
  });

  test('reads a list of scenarios in any case, a queue and files', () => {
    const args = ['--', '--quick', '--only', 'b1, L2', '--queue', 'postgres', '--json', 'out.json'];
    expect(parseArguments(args)).toMatchObject({
      quick: true,
      only: ['B1', 'L2'],
      queue: 'postgres',
      json: 'out.json',
    });
  });

  test('names what it does not know', () => {
    expect(() => parseArguments(['--only', 'B1,B99'])).toThrow('no scenario B99');
    expect(() => parseArguments(['--queue', 'kafka'])).toThrow('--queue takes');
    expect(() => parseArguments(['--fast'])).toThrow("'--fast'");
    expect(() => parseArguments(['--quick', '--full'])).toThrow('either');
  });
});
