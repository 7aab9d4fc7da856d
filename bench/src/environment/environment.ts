import type { QueueName } from '../arguments.ts';
import type { Checkout } from './checkout.ts';
import type { NamedProcess } from './process-usage.ts';
import type { Service } from './start-process.ts';
import type { ReceiverProcess } from './start-receiver-process.ts';

/** A database of its own for one measurement. */
export interface EnvironmentDatabase {
  readonly url: string;
  /** Runs SQL as the superuser. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

export interface Backend {
  readonly name: QueueName;
  /** The store's own processes, besides PostgreSQL. */
  readonly processes: readonly NamedProcess[];
  /** The QUEUE_URL of a service on this database. */
  queueUrl(database: EnvironmentDatabase): string;
  /** Deletes all jobs. */
  clear(): Promise<void>;
}

/** The whole service, however many processes it is in. */
interface RunningService {
  readonly url: string;
  readonly processes: readonly NamedProcess[];
  stop(): Promise<void>;
}

/** One checkout and what it is measured with. */
export interface Environment {
  readonly checkout: Checkout;
  readonly quick: boolean;
  /** Also measures the sizes that take long to create. */
  readonly full: boolean;
  /** Duration of the soak test. */
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
  /** With the rate limit as shipped, or with none. */
  startApi(
    database: EnvironmentDatabase,
    backend: Backend,
    limits?: 'limited',
  ): Promise<Service & { readonly url: string }>;
  startWorker(database: EnvironmentDatabase, backend: Backend): Promise<Service>;
  /** Starts all of it; resolves when it is ready. */
  startService(database: EnvironmentDatabase, backend: Backend): Promise<RunningService>;
  /** Prints the progress to the terminal. */
  note(text: string): void;
}
