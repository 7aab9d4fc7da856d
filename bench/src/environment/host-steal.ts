import { readFileSync } from 'node:fs';

/** Ticks of all cores. */
export interface MachineTicks {
  readonly all: number;
  /** Of those, in which the host ran other machines while this one had work. */
  readonly stolen: number;
}

/** Fields of the first line of `/proc/stat` that add up to all time; guests are part of user time. */
const fields = { first: 1, steal: 8 };

export function parseMachineTicks(stat: string): MachineTicks {
  const ticks = stat.split('\n', 1)[0]?.trim().split(/ +/).map(Number) ?? [];
  const all = ticks.slice(fields.first, fields.steal + 1).reduce((sum, part) => sum + part, 0);
  return { all, stolen: ticks[fields.steal] ?? 0 };
}

/** Zero without /proc. */
function readMachineTicks(): MachineTicks {
  try {
    return parseMachineTicks(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return { all: 0, stolen: 0 };
  }
}

/** Percent. */
export const mostStolen = 3;
const maxRepeats = 2;

export interface CalmRun<T> {
  readonly result: T;
  /** Percent of the machine's time that the host took during the run. */
  readonly stolen: number;
}

/** Repeats a run during which the host took more than 3 % of the machine's time, at most twice. Returns the last run. */
export async function runCalm<T>(
  run: () => Promise<T>,
  { note, ticks = readMachineTicks }: { readonly note: (text: string) => void; readonly ticks?: () => MachineTicks },
): Promise<CalmRun<T>> {
  for (let repeats = 0; ; repeats++) {
    const before = ticks();
    const result = await run();
    const after = ticks();
    const stolen = (100 * (after.stolen - before.stolen)) / Math.max(1, after.all - before.all);
    if (stolen <= mostStolen) return { result, stolen };
    const isLast = repeats === maxRepeats;
    note(`the host took ${stolen.toFixed(1)} % of the machine's time: ${isLast ? 'kept' : 'measured again'}`);
    if (isLast) return { result, stolen };
  }
}
