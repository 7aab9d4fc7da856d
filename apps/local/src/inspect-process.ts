import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export const hasProc = existsSync('/proc/self/stat');

interface RunningProcess {
  parent: number;
  command: string;
  /** When it was started, in the system's own words: with its id, it is this process and none that came after it. */
  started: string;
}

/** The process with this id, or undefined when it is gone. One that waits to be reaped is. */
export function inspectProcess(pid: number): RunningProcess | undefined {
  try {
    return hasProc ? readProc(pid) : askPs(pid);
  } catch {
    return undefined;
  }
}

function readProc(pid: number): RunningProcess | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in parentheses and may hold anything; the state comes after it.
  const [state, parent, ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z') return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  // Field 22 of proc(5): clock ticks since the machine was started.
  return { parent: Number(parent), command, started: others[17] ?? '' };
}

function askPs(pid: number): RunningProcess {
  const fields = ['-o', 'ppid=', '-o', 'lstart=', '-o', 'args='];
  // Told the same way to every program, whatever its user's language and time zone.
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  const line = execFileSync('ps', [...fields, '-p', String(pid)], { encoding: 'utf8', env }).trim();
  const [parent = '', ...others] = line.split(/\s+/);
  return { parent: Number(parent), started: others.slice(0, 5).join(' '), command: others.slice(5).join(' ') };
}
