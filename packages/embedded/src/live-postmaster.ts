import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './launch.ts';

const pollMs = 20;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return linuxStatus(pid)?.state !== 'Z';
}

/** Waits up to `graceMs` for a server that is stopping, then throws. Removes a pid file of another program's pid. */
export async function assertNotRunning(dataDir: string, graceMs: number): Promise<void> {
  const deadline = Date.now() + graceMs;
  for (;;) {
    const pid = recordedPid(dataDir);
    if (pid === null || !isAlive(pid)) return;
    if (!isPostgresOf(pid, dataDir)) return rmSync(join(dataDir, 'postmaster.pid'), { force: true });
    if (Date.now() >= deadline) {
      throw new EmbeddedPostgresError(
        `A PostgreSQL server with pid ${pid} already runs on ${dataDir}: stop it (kill -INT ${pid}), or choose another folder.`,
      );
    }
    await delay(pollMs);
  }
}

function recordedPid(dataDir: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isPostgresOf(pid: number, dataDir: string): boolean {
  if (process.platform !== 'linux') {
    return execFileSync('ps', ['-p', String(pid), '-o', 'comm='])
      .toString()
      .includes('postgres');
  }
  if (linuxStatus(pid)?.command !== 'postgres') return false;
  try {
    // The data folder is PostgreSQL's working directory.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir);
  } catch {
    // Assume that another user's process is PostgreSQL: its folder can't be read.
    return true;
  }
}

function linuxStatus(pid: number): { command: string; state: string } | null {
  if (process.platform !== 'linux') return null;
  try {
    const [, command = '', state = ''] = /\((.*)\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { command, state };
  } catch {
    return null;
  }
}
