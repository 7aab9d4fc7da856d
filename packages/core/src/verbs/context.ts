import type { Actor, FieldErrorCode, Scope } from '@finhook/contracts';
import type { FetchJson, PreparedRequest, SendResult, UrlCheck } from '@finhook/delivery';
import { type Access, fullAccess } from '../access/access.ts';
import type { Secrets } from '../access/secrets.ts';
import type { Database } from '../db/database.ts';
import type { Queryable } from '../db/queryable.ts';
import type { NewId } from '../ids/ids.ts';
import type { DeliveryQueue } from '../outbox/delivery-queue.ts';
import type { Clock } from '../time/clock.ts';
import type { Coalesce } from './batching.ts';

/** Starts background work early. Best effort, must not throw. */
export interface Jobs {
  readonly startSync: (runId: string) => void;
  readonly startMaintenance: (task: string) => void;
}

/** Requests to other servers, which reach only allowed addresses. */
export interface Outgoing {
  /** Checks the form of a URL and every address of its host. */
  readonly checkUrl: (url: string) => Promise<UrlCheck>;
  /** Sends one request under the rules of deliveries. Waits at most 10 s. */
  readonly sendWebhook: (request: PreparedRequest) => Promise<SendResult>;
  readonly fetchJson: FetchJson;
}

export interface Core {
  /** Name of this cell (`CELL`), which starts new keys and tokens; '' for none. */
  cell: string;
  database: Database;
  clock: Clock;
  newId: NewId;
  secrets: Secrets;
  coalesce: Coalesce;
  queue: DeliveryQueue;
  jobs: Jobs;
  outgoing: Outgoing;
  /** Receives the number of events of each commit. Must not throw. */
  onEvents?: ((count: number) => void) | undefined;
}

interface RequestOrigin {
  id: string;
  ip: string | null;
}

/** Rejected rows of a batch (`on_error=skip`), and the request indexes of the others. */
export interface RowReport {
  indexes: readonly number[];
  rejected: readonly RejectedRow[];
}

export interface RejectedRow {
  index: number;
  pointer: string;
  code: FieldErrorCode;
  message: string;
}

export interface Idempotency {
  /** Stores the output, in the verb's transaction if it has one. */
  complete(db: Queryable, output: unknown): Promise<void>;
  /** True once an outcome is stored. */
  readonly completed: boolean;
  /** Stores an error for repetitions of the request. */
  reject(db: Queryable, status: number, problem: unknown): Promise<void>;
  /** Releases the key of a request that changed nothing. Retries in the background until the lease ends. */
  release(db: Queryable): Promise<void>;
}

export interface Context extends Core {
  accountId: string;
  actor: Actor;
  keyId: string;
  /** First key of the chain of rotations of `keyId`. */
  originId: string;
  personId: string;
  scope: Scope;
  access: Access;
  moving?: 'draining' | 'closed';
  /** Session of the request, if any. It acts as its key. */
  sessionId?: string | undefined;
  request: RequestOrigin;
  /** Why an operator acts. Part of `after` in the audit log. */
  reason?: string;
  rows?: RowReport;
  /** Set for requests with an Idempotency-Key. */
  idempotency?: Idempotency;
}

export const systemActor: Actor = { type: 'system', id: 'finhook', name: 'finhook' };

export const operatorActor: Actor = { type: 'staff', id: 'operator', name: 'Operator' };

/** Context of a background job. `origin` names the job in the audit log. */
export function systemContext(core: Core, accountId: string, origin: string): Context {
  return {
    ...core,
    database: core.database.forAccount(accountId),
    accountId,
    actor: systemActor,
    keyId: '',
    originId: '',
    personId: '',
    scope: 'human',
    access: fullAccess,
    request: { id: origin, ip: null },
  };
}
