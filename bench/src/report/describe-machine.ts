import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { redisServerBinary } from '@finhook/testing';

export interface MachineFacts {
  readonly commit: string;
  /** With the number of rounds. */
  readonly against: string | undefined;
  readonly quick: boolean;
  readonly postgresVersion: string;
  readonly durability: string;
  readonly queues: readonly string[];
}

function redisVersion(): string {
  const binary = redisServerBinary();
  if (binary === null) return 'none';
  return /v=([\d.]+)/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))?.[1] ?? 'unknown';
}

/** The hardware and versions of the run. */
export function describeMachine(facts: MachineFacts): Record<string, string> {
  const [cpu] = cpus();
  const { commit, against, quick, postgresVersion, durability, queues } = facts;
  return {
    date: new Date().toISOString().slice(0, 10),
    finhook: commit,
    ...(against === undefined ? {} : { against }),
    run: quick ? 'quick' : 'whole',
    cpu: `${cpu?.model.trim() ?? 'unknown'}, ${cpus().length} cores shared by everything measured`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `${type()} ${release()}`,
    versions: `Node ${process.versions.node}, PostgreSQL ${postgresVersion}, Redis ${redisVersion()}`,
    durability,
    queues: queues.join(', '),
  };
}
