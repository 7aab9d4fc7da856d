import type { QueueName } from '../arguments.ts';
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
  /** Process of a store of its own. */
  readonly pid: number | undefined;
  /** Where the queue is, for a service on this database. */
  queueUrl(database: EnvironmentDatabase): string;
  /** Forgets all jobs. */
  clear(): Promise<void>;
}

/** Everything that scenarios have in common. */
export interface Environment {
  readonly quick: boolean;
  /** Also the sizes that take long to make. */
  readonly full: boolean;
  /** How long the soak takes. */
  readonly minutes: number;
  readonly postgresPid: number;
  readonly receiver: ReceiverProcess;
  /** The first is the one that single-backend scenarios use. */
  readonly backends: readonly [Backend, ...Backend[]];
  readonly secretsKey: string;
  /** A folder that goes away with the environment. */
  readonly folder: string;
  readonly postgresVersion: string;
  readonly durability: string;
  /** A new database with the current schema and no data. */
  createDatabase(): Promise<EnvironmentDatabase>;
  startApi(database: EnvironmentDatabase, backend: Backend): Promise<Service & { readonly url: string }>;
  startWorker(database: EnvironmentDatabase, backend: Backend): Promise<Service>;
  /** Tells the person at the terminal what is being measured. */
  note(text: string): void;
}
