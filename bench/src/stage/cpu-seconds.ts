import { readdirSync, readFileSync } from 'node:fs';

/** Of `/proc/<pid>/stat`, counted from the field behind the program's name; times in ticks, as Linux gives them. */
const fields = { parent: 1, user: 11, system: 12, endedUser: 13, endedSystem: 14 };
const ticksPerSecond = 100;

function readStat(pid: number | string): number[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return undefined;
  }
}

/**
 * CPU seconds that a process and its children used so far, those that have ended too: PostgreSQL has one for each
 * connection. NaN where there is no /proc.
 */
export function cpuSeconds(pid: number): number {
  const own = readStat(pid);
  if (own === undefined) return Number.NaN;
  const ticks = (stat: readonly number[], ...names: (keyof typeof fields)[]) =>
    names.reduce((sum, name) => sum + (stat[fields[name]] ?? 0), 0);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(name);
      return stat?.[fields.parent] === pid ? [ticks(stat, 'user', 'system')] : [];
    });
  const used = ticks(own, 'user', 'system', 'endedUser', 'endedSystem');
  return children.reduce((sum, child) => sum + child, used) / ticksPerSecond;
}
