import {
  checkWebhookHost,
  createHostLookup,
  createJsonFetcher,
  createTransport,
  parseProxyUrl,
  type TransportOptions,
} from '@finhook/delivery';
import { createSecrets } from './access/secrets.ts';
import { openDatabase } from './db/database.ts';
import { migrations } from './db/migrations/index.ts';
import type { ReplicaOptions } from './db/replica.ts';
import { systemRole } from './db/row-security.ts';
import { createIdSource } from './ids/ids.ts';
import { Account } from './modules/accounts/account.ts';
import { ApiKey } from './modules/accounts/api-keys/api-key.entity.ts';
import { AgentAction } from './modules/agent-runtime/actions/action.ts';
import { AgentApproval } from './modules/agent-runtime/approvals/approval.ts';
import { AgentFlag } from './modules/agent-runtime/flags.ts';
import { RuntimeSnapshot } from './modules/agent-runtime/runtime-snapshots.ts';
import { Agent, AgentBinding } from './modules/agents/agent.ts';
import { BankApproval } from './modules/bank/wires/approval.ts';
import { Case } from './modules/cases/case.ts';
import { Comment } from './modules/cases/comments.ts';
import { Directive } from './modules/cases/directives/directive.ts';
import { storeBalancesFunction } from './modules/cash/balances/store-balances.ts';
import { Company } from './modules/companies/company.entity.ts';
import { FormationStep } from './modules/companies/formation/steps.ts';
import { Filing } from './modules/filings/filing.ts';
import { WebhookEndpoint } from './modules/webhooks/webhook-endpoint.entity.ts';
import type { DeliveryQueue } from './outbox/delivery-queue.ts';
import { type Clock, systemClock } from './time/clock.ts';
import { createCoalesce } from './verbs/batching.ts';
import type { Core, Jobs, Outgoing } from './verbs/context.ts';

export interface CoreOptions {
  databaseUrl: string;
  /** Name of this cell (`CELL`). */
  cell?: string | undefined;
  /** A standby of the database, for lists and figures. */
  replica?: ReplicaOptions | undefined;
  /** Comma-separated base64 keys of 32 bytes; the first encrypts. */
  secretsKey: string;
  /** Allows http and private targets for webhooks, for laptops and tests. */
  allowInsecureWebhooks: boolean;
  allowedCidrs?: readonly string[] | undefined;
  /** Proxy of outgoing requests: `http[s]://[user:password@]host[:port]`. */
  proxyUrl?: string | undefined;
  poolSize?: number | undefined;
  /** Statement timeout in ms. Default: none, for long background work. */
  statementTimeoutMs?: number;
  /** Default: none. The reconciler finds due deliveries. */
  queue?: DeliveryQueue;
  /** Default: none. The reconciler finds waiting syncs, and maintenance tasks run in their next period. */
  jobs?: Jobs;
  onDatabaseError?: (message: string) => void;
  clock?: Clock;
}

const PING_TIMEOUT_MS = 10_000;

function createSendOnce(options: TransportOptions): Outgoing['sendWebhook'] {
  return async (request) => {
    const transport = createTransport(options);
    try {
      return await transport.send(request);
    } finally {
      // Not awaited: closing waits for connections that are still opening.
      void transport.close().catch(() => undefined);
    }
  };
}

export async function openCore(options: CoreOptions): Promise<Core> {
  const clock = options.clock ?? systemClock;
  const urlPolicy = { allowInsecure: options.allowInsecureWebhooks, allowedCidrs: options.allowedCidrs };
  const proxy = options.proxyUrl === undefined ? undefined : parseProxyUrl(options.proxyUrl);
  const lookup = createHostLookup(urlPolicy);
  const database = await openDatabase({
    url: options.databaseUrl,
    replica: options.replica,
    entities: [
      Account,
      Agent,
      AgentAction,
      AgentApproval,
      AgentBinding,
      AgentFlag,
      RuntimeSnapshot,
      ApiKey,
      BankApproval,
      Case,
      Comment,
      Company,
      Directive,
      Filing,
      FormationStep,
      WebhookEndpoint,
    ],
    migrations,
    functions: [storeBalancesFunction],
    role: systemRole,
    poolSize: options.poolSize,
    ...(options.statementTimeoutMs === undefined ? {} : { statementTimeoutMs: options.statementTimeoutMs }),
    ...(options.onDatabaseError === undefined ? {} : { onError: options.onDatabaseError }),
  });
  return {
    cell: options.cell ?? '',
    database,
    clock,
    newId: createIdSource(clock),
    secrets: createSecrets(options.secretsKey),
    coalesce: createCoalesce(),
    queue: options.queue ?? { leaseMs: () => 0, add: () => undefined },
    outgoing: {
      checkUrl: (url) => checkWebhookHost(url, urlPolicy, lookup),
      sendWebhook: createSendOnce({ policy: urlPolicy, lookup, proxy, timeoutMs: PING_TIMEOUT_MS }),
      fetchJson: createJsonFetcher({ policy: urlPolicy, now: () => clock.now(), lookup, proxy }),
    },
    jobs: options.jobs ?? { startSync: () => undefined, startMaintenance: () => undefined },
  };
}
