// Risk: a mistyped option silently measures something else.
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseArguments, usualIds } from './arguments.ts';

describe('parseArguments', () => {
  test('without options measures everything but the soak', () => {
    expect(usualIds).not.toContain('SOAK');
    expect(parseArguments([])).toEqual({
      quick: false,
      full: false,
      only: usualIds,
      minutes: 10,
      queue: undefined,
      json: undefined,
      against: undefined,
      rounds: 3,
      markdown: undefined,
      profile: undefined,
      peers: [],
    });
  });

  test('reads a list of scenarios in any case, a queue and files', () => {
    const args = ['--', '--quick', '--only', 'b1, B4', '--queue', 'postgres', '--json', 'out.json'];
    expect(parseArguments(args)).toMatchObject({
      quick: true,
      only: ['B1', 'B4'],
      queue: 'postgres',
      json: 'out.json',
    });
  });

  test('the soak is asked for by name, for as long as one likes', () => {
    expect(parseArguments(['--only', 'soak', '--minutes', '1'])).toMatchObject({ only: ['SOAK'], minutes: 1 });
  });

  test('another checkout is measured in as many rounds as one likes', () => {
    const args = ['--against', '../before', '--rounds', '5', '--only', 'b9,b10'];
    expect(parseArguments(args)).toMatchObject({ against: '../before', rounds: 5, only: ['B9', 'B10'] });
  });

  test('peers are named with their programs', () => {
    const { peers } = parseArguments(['--peers', 'svix=/opt/svix-server,outpost=outpost-server']);
    expect(peers).toEqual([
      { name: 'svix', binary: '/opt/svix-server' },
      { name: 'outpost', binary: resolve('outpost-server') },
    ]);
    expect(() => parseArguments(['--peers', 'convoy=/opt/convoy'])).toThrow('--peers takes');
    expect(() => parseArguments(['--peers', 'svix'])).toThrow('--peers takes');
    expect(() => parseArguments(['--peers', 'svix=/opt/svix-server', '--queue', 'postgres'])).toThrow('need Redis');
  });

  test('names what it does not know', () => {
    expect(() => parseArguments(['--only', 'B1,B99'])).toThrow('no scenario B99');
    expect(() => parseArguments(['--queue', 'kafka'])).toThrow('--queue takes');
    expect(() => parseArguments(['--rounds', '1.5'])).toThrow('--rounds takes');
    expect(() => parseArguments(['--minutes', '0'])).toThrow('--minutes takes');
    expect(() => parseArguments(['--fast'])).toThrow("'--fast'");
    expect(() => parseArguments(['--quick', '--full'])).toThrow('either');
  });
});
