import { hostname } from 'node:os';
import { systemStatement } from '../../db/queryable.ts';
import { repeat } from '../../time/repeat.ts';
import { settleWithin } from '../../time/settle-within.ts';
import type { Core } from '../../verbs/context.ts';
import { followPromotion } from '../restore/database-identity.ts';

export interface ProcessReport {
  id: string;
  role: 'api' | 'worker';
  host: string;
  pid: number;
  version: string;
  uptimeMs: number;
  inFlight: number;
  connections: { busy: number; idle: number; waiting: number };
}

/** Times are by the database's clock. */
export interface ServiceProcess extends Omit<ProcessReport, 'uptimeMs'> {
  startedAt: Date;
  seenAt: Date;
  /** True if its reports stopped without a shutdown. */
  gone: boolean;
}

const announce = systemStatement(
  'announce_process',
  `WITH ${followPromotion}
   INSERT INTO service_process (id, role, host, pid, version, started_at, seen_at, in_flight, connections_busy,
     connections_idle, connections_waiting, secrets_keys, cell, functions)
   VALUES ($1, $2, $3, $4::int, $5, now() - $6::float8 * interval '1 millisecond', now(), $7::int, $8::int, $9::int,
     $10::int, $11::text[], $12, $13::text[])
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, in_flight = excluded.in_flight,
     connections_busy = excluded.connections_busy, connections_idle = excluded.connections_idle,
     connections_waiting = excluded.connections_waiting`,
);

export async function announceProcess(core: Core, report: ProcessReport): Promise<void> {
  const { id, role, host, pid, version, uptimeMs, inFlight, connections } = report;
  const { busy, idle, waiting } = connections;
  const measured = [inFlight, busy, idle, waiting];
  const fixed = [core.secrets.keyIds, core.cell, core.database.functionNames];
  await core.database.query(announce, [id, role, host, pid, version, uptimeMs, ...measured, ...fixed]);
}

async function withdrawProcess(core: Core, id: string): Promise<void> {
  await core.database.query('DELETE FROM service_process WHERE id = $1', [id]);
}

interface HeartbeatOptions {
  readonly role: ProcessReport['role'];
  readonly version: string;
  readonly inFlight?: () => number;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
  readonly closeMs?: number;
}

export interface Heartbeat {
  close(): Promise<void>;
}

const CLOSE_MS = 1_000;

export function startHeartbeat(core: Core, options: HeartbeatOptions): Heartbeat {
  const { role, version, onError, inFlight = () => 0, everyMs = 5_000, closeMs = CLOSE_MS } = options;
  const identity = { id: core.newId('proc'), role, version, host: hostname(), pid: process.pid };
  const beat = async () => {
    const report = { uptimeMs: process.uptime() * 1000, inFlight: inFlight(), connections: core.database.usage() };
    await announceProcess(core, { ...identity, ...report }).catch(onError);
    return everyMs;
  };
  const beats = repeat(beat, { unref: true });
  return {
    close: async () => {
      const withdraw = () => withdrawProcess(core, identity.id);
      await settleWithin(closeMs, beats.close().then(withdraw).catch(onError));
    },
  };
}

interface ProcessRow {
  id: string;
  role: ServiceProcess['role'];
  host: string;
  pid: number;
  version: string;
  started_at: string;
  seen_at: string;
  gone: boolean;
  in_flight: number;
  busy: number;
  idle: number;
  waiting: number;
}

/** Four reports. */
const goneAfterSeconds = 20;
const maxProcesses = 200;

const list = systemStatement(
  'list_processes',
  `SELECT id, role, host, pid, version, started_at, seen_at, in_flight, connections_busy AS busy,
     connections_idle AS idle, connections_waiting AS waiting,
     seen_at < now() - ${goneAfterSeconds} * interval '1 second' AS gone
   FROM service_process WHERE id > '' ORDER BY id DESC LIMIT ${maxProcesses}`,
);

export async function listProcesses(core: Core): Promise<ServiceProcess[]> {
  const rows = await core.database.query<ProcessRow>(list);
  return rows
    .map(({ started_at, seen_at, in_flight, busy, idle, waiting, ...row }) => ({
      ...row,
      startedAt: new Date(started_at),
      seenAt: new Date(seen_at),
      inFlight: in_flight,
      connections: { busy, idle, waiting },
    }))
    .sort((a, b) => Number(a.gone) - Number(b.gone) || b.role.localeCompare(a.role));
}

export async function purgeProcesses(core: Core): Promise<void> {
  await core.database.query("DELETE FROM service_process WHERE id > '' AND seen_at < now() - interval '1 day'");
}
