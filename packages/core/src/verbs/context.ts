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

export interface Core {
  /** The name of this cell (`CELL`), which new keys and tokens begin with; '' for none. */
  cell: string;
  database: Database;
  clock: Clock;
  newId: NewId;
  secrets: Secrets;
  coalesce: Coalesce;
  queue: DeliveryQueue;
  /** Checks a webhook URL before it is saved: its form, and every address that its host resolves to. */
  checkUrl: (url: string) => Promise<UrlCheck>;
  startSync: (runId: string) => void;
  /** Has a worker run a maintenance task soon; if that fails, it runs in its next period. */
  startMaintenance: (task: string) => void;
  /** Called with the number of events that a transaction committed; must not throw. */
  onEvents?: ((count: number) => void) | undefined;
  /** Sends one request to an endpoint under the rules of deliveries and waits for its response, at most 10 s. */
  sendWebhook: (request: PreparedRequest) => Promise<SendResult>;
  fetchJson: FetchJson;
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
  /** Stores the successful output, in the verb's own transaction where it has one. */
  complete(db: Queryable, output: unknown): Promise<void>;
  /** True once an outcome is stored. */
  readonly completed: boolean;
  /** Stores an error that a replay of the request must repeat (409). */
  reject(db: Queryable, status: number, problem: unknown): Promise<void>;
  /** Releases the key: nothing was done. If that fails, it is tried again in the background until the lease ends. */
  release(db: Queryable): Promise<void>;
}

export interface Context extends Core {
  accountId: string;
  actor: Actor;
  keyId: string;
  /** The first key of the chain of rotations of `keyId`. */
  originId: string;
  personId: string;
  scope: Scope;
  access: Access;
  moving?: 'draining' | 'closed';
  /** The session that authenticated the request, if any; it acts as its key. */
  sessionId?: string | undefined;
  request: RequestOrigin;
  rows?: RowReport;
  /** Set while a request with an Idempotency-Key runs: its response is stored in the verb's own transaction. */
  idempotency?: Idempotency;
}

export const systemActor: Actor = { type: 'system', id: 'finhook', name: 'finhook' };

/** The context of the service's own jobs; `origin` names the job in the audit log. */
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
