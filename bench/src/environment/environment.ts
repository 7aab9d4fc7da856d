import type { PeerProgram, QueueName } from '../arguments.ts';
import type { Checkout } from './checkout.ts';
import type { NamedProcess } from './process-usage.ts';
import type { Service } from './start-process.ts';
import type { ReceiverProcess } from './start-receiver-process.ts';

/** The database of one measurement. */
export interface EnvironmentDatabase {
  readonly url: string;
  /** As the superuser. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

export interface Backend {
  readonly name: QueueName;
  /** The store's own processes, except PostgreSQL. */
  readonly processes: readonly NamedProcess[];
  /** The QUEUE_URL of a service on this database. */
  queueUrl(database: EnvironmentDatabase): string;
  /** Deletes all jobs. */
  clear(): Promise<void>;
}

/** Api and worker in processes of their own, or in one. */
export type Deployment = 'separate' | 'combined';

/** All processes of a service. */
interface RunningService {
  readonly url: string;
  readonly processes: readonly NamedProcess[];
  stop(): Promise<void>;
}

/** A checkout and its test servers. */
export interface Environment {
  readonly checkout: Checkout;
  readonly quick: boolean;
  /** Also measures slow sizes. */
  readonly full: boolean;
  /** Of the soak test. */
  readonly minutes: number;
  readonly postgres: NamedProcess;
  readonly receiver: ReceiverProcess;
  /** Scenarios with one backend use the first. */
  readonly backends: readonly [Backend, ...Backend[]];
  readonly secretsKey: string;
  /** Deleted with the environment. */
  readonly folder: string;
  readonly postgresVersion: string;
  readonly durability: string;
  /** A new database with the checkout's schema and no data. */
  createDatabase(): Promise<EnvironmentDatabase>;
  /** With the default rate limit, or none. */
  startApi(
    database: EnvironmentDatabase,
    backend: Backend,
    limits?: 'limited',
  ): Promise<Service & { readonly url: string }>;
  /** A new database without a schema. */
  createEmptyDatabase(): Promise<EnvironmentDatabase>;
  /** Measured in B9 and B10; not for the checkout of `--against`. */
  readonly peers: readonly PeerProgram[];
  startWorker(database: EnvironmentDatabase, backend: Backend): Promise<Service>;
  /** Those that the checkout has programs for. */
  readonly deployments: readonly Deployment[];
  /** Resolves when all processes are ready. */
  startService(database: EnvironmentDatabase, backend: Backend, deployment: Deployment): Promise<RunningService>;
  /** Prints progress. */
  note(text: string): void;
}
