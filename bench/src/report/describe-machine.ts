import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface MachineFacts {
  readonly quick: boolean;
  readonly postgresVersion: string;
  readonly durability: string;
  readonly queues: readonly string[];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

function outputOf(program: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

function commit(): string {
  const id = outputOf('git', ['rev-parse', '--short', 'HEAD']);
  if (id === undefined) return 'unknown';
  const changed = outputOf('git', ['status', '--porcelain']);
  return changed === '' ? id : `${id} with changes`;
}

/** The hardware and versions of the run. */
export function describeMachine({ quick, postgresVersion, durability, queues }: MachineFacts): Record<string, string> {
  const [cpu] = cpus();
  const redis = /v=([\d.]+)/.exec(outputOf('redis-server', ['--version']) ?? '')?.[1];
  return {
    date: new Date().toISOString().slice(0, 10),
    finhook: commit(),
    run: quick ? 'quick' : 'whole',
    cpu: `${cpu?.model.trim() ?? 'unknown'}, ${cpus().length} cores shared by everything measured`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `${type()} ${release()}`,
    versions: `Node ${process.versions.node}, PostgreSQL ${postgresVersion}, Redis ${redis ?? 'none'}`,
    durability,
    queues: queues.join(', '),
  };
}
