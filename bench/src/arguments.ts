import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isPeer, type PeerName } from './peers/peers.ts';
import { type ScenarioId, scenarioIds } from './report/figure.ts';

export type QueueName = 'redis' | 'postgres';

export interface Arguments {
  /** Two minutes instead of fifteen, with fewer rounds. */
  readonly quick: boolean;
  /** Also measures ten million rows in scenarios that compare table sizes. */
  readonly full: boolean;
  readonly only: readonly ScenarioId[];
  /** Of the soak test. */
  readonly minutes: number;
  /** Default: both backends, or only Redis for a quick run, if Redis is installed. */
  readonly queue: QueueName | 'both' | undefined;
  readonly json: string | undefined;
  /** Another checkout, measured alternately. */
  readonly against: string | undefined;
  /** Turns of each checkout. */
  readonly rounds: number;
  readonly markdown: string | undefined;
  /** Folder for CPU profiles of the api and worker processes. */
  readonly profile: string | undefined;
  /** Other webhook servers, measured beside this one in B9 and B10. */
  readonly peers: readonly PeerProgram[];
}

export interface PeerProgram {
  readonly name: PeerName;
  /** An absolute path. */
  readonly binary: string;
}

/** The soak test takes minutes and runs only on request. */
export const usualIds = scenarioIds.filter((id) => id !== 'SOAK');

/** B7 has no goal. */
const quickIds = usualIds.filter((id) => id !== 'B7');

function isScenario(name: string): name is ScenarioId {
  return scenarioIds.some((id) => id === name);
}

function isQueue(name: string | undefined): name is QueueName | 'both' | undefined {
  return name === undefined || name === 'redis' || name === 'postgres' || name === 'both';
}

function parsePeer(text: string): PeerProgram {
  const [name = '', binary = ''] = text.split('=');
  if (!isPeer(name) || binary === '') throw new Error('--peers takes svix=BINARY,outpost=BINARY, or one of them.');
  return { name, binary: resolve(binary) };
}

/** @throws an error that lists the valid options */
export function parseArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    // `pnpm bench -- --quick` passes on the dashes.
    args: args.filter((arg) => arg !== '--'),
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      only: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      queue: { type: 'string' },
      json: { type: 'string' },
      against: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      markdown: { type: 'string' },
      profile: { type: 'string' },
      peers: { type: 'string' },
    },
  });
  const asked =
    values.only?.split(',').map((name) => name.trim().toUpperCase()) ?? (values.quick ? quickIds : usualIds);
  const unknown = asked.find((name) => !isScenario(name));
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}: --only takes ${scenarioIds.join(',')}.`);
  const { queue } = values;
  if (!isQueue(queue)) throw new Error('--queue takes postgres, redis or both.');
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 1_440)) throw new Error('--minutes takes a number above 0, of at most a day.');
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds takes a whole number above 0.');
  const peers = values.peers?.split(',').map(parsePeer) ?? [];
  if (peers.length > 0 && queue === 'postgres') throw new Error('The peers need Redis: --queue redis or both.');
  const { quick, full, json, against, markdown, profile } = values;
  if (quick && full) throw new Error('Give either --quick or --full.');
  return {
    quick,
    full,
    only: asked.filter(isScenario),
    minutes,
    queue,
    json,
    against,
    rounds,
    markdown,
    profile,
    peers,
  };
}
