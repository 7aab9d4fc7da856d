import { InitialSchema } from './0001-initial-schema.ts';
import { Companies } from './0002-companies.ts';
import { Agents } from './0003-agents.ts';
import { Filings } from './0004-filings.ts';
import { Connections } from './0005-connections.ts';
import { Keys } from './0006-keys.ts';
import { Surface } from './0007-surface.ts';
import { RowSecurity } from './0009-row-security.ts';
import { Cases } from './0010-cases.ts';
import { EndpointOptions } from './0020-endpoint-options.ts';
import { EndpointFlow } from './0021-endpoint-flow.ts';
import { Replays } from './0022-replays.ts';
import { Evidence } from './0023-evidence.ts';
import { OperationalEvents } from './0024-operational-events.ts';
import { Traces } from './0026-traces.ts';
import { AuditEvent } from './0027-audit-event.ts';
import { Sessions } from './0028-sessions.ts';
import { ServiceProcesses } from './0029-service-processes.ts';
import { DueIndex } from './0030-due-index.ts';
import { ResealAudit } from './0031-reseal-audit.ts';
import { SyncRuns } from './0032-sync-runs.ts';
import { EndpointResumed } from './0033-endpoint-resumed.ts';

/** Every migration in the order in which it runs. A released one is never edited: a change is a new file. */
export const migrations = [
  { name: '0001-initial-schema', class: InitialSchema },
  { name: '0002-companies', class: Companies },
  { name: '0003-agents', class: Agents },
  { name: '0004-filings', class: Filings },
  { name: '0005-connections', class: Connections },
  { name: '0006-keys', class: Keys },
  { name: '0007-surface', class: Surface },
  { name: '0009-row-security', class: RowSecurity },
  { name: '0010-cases', class: Cases },
  { name: '0020-endpoint-options', class: EndpointOptions },
  { name: '0021-endpoint-flow', class: EndpointFlow },
  { name: '0022-replays', class: Replays },
  { name: '0023-evidence', class: Evidence },
  { name: '0024-operational-events', class: OperationalEvents },
  { name: '0026-traces', class: Traces },
  { name: '0027-audit-event', class: AuditEvent },
  { name: '0028-sessions', class: Sessions },
  { name: '0029-service-processes', class: ServiceProcesses },
  { name: '0030-due-index', class: DueIndex },
  { name: '0031-reseal-audit', class: ResealAudit },
  { name: '0032-sync-runs', class: SyncRuns },
  { name: '0033-endpoint-resumed', class: EndpointResumed },
];
