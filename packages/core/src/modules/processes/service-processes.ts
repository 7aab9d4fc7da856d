import type { Core } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';

/** What a process says of itself. */
export interface ProcessReport {
  /** Its own for as long as it lives: `proc_…`. */
  id: string;
  role: 'api' | 'worker';
  host: string;
  pid: number;
  version: string;
  /** Milliseconds since it started. */
  uptimeMs: number;
  /** A worker's requests to endpoints that are under way. */
  inFlight: number;
  connections: { busy: number; idle: number; waiting: number };
}

/** A process as the others see it, on the database's clock. */
export interface ServiceProcess extends Omit<ProcessReport, 'uptimeMs'> {
  startedAt: Date;
  seenAt: Date;
  /** It was not heard of for a while, and did not say goodbye. */
  gone: boolean;
}

const announce = statement(
  'announce_process',
  `INSERT INTO service_process (id, role, host, pid, version, started_at, seen_at, in_flight, connections_busy,
     connections_idle, connections_waiting)
   VALUES ($1, $2, $3, $4::int, $5, now() - $6::float8 * interval '1 millisecond', now(), $7::int, $8::int, $9::int,
     $10::int)
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, in_flight = excluded.in_flight,
     connections_busy = excluded.connections_busy, connections_idle = excluded.connections_idle,
     connections_waiting = excluded.connections_waiting`,
);

/** Says that a process is alive; it has to say so every five seconds. */
export async function announceProcess(core: Core, report: ProcessReport): Promise<void> {
  const { id, role, host, pid, version, uptimeMs, inFlight, connections } = report;
  const { busy, idle, waiting } = connections;
  await core.database.query(announce, [id, role, host, pid, version, uptimeMs, inFlight, busy, idle, waiting]);
}

/** Says that a process ends as it was told to. */
export async function withdrawProcess(core: Core, id: string): Promise<void> {
  await core.database.query('DELETE FROM service_process WHERE id = $1', [id]);
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

/** Silence after which a process counts as gone: four reports that did not come, in seconds. */
const goneAfterSeconds = 20;

const list = statement(
  'list_processes',
  `SELECT id, role, host, pid, version, started_at, seen_at, in_flight, connections_busy AS busy,
     connections_idle AS idle, connections_waiting AS waiting,
     seen_at < now() - ${goneAfterSeconds} * interval '1 second' AS gone
   FROM service_process WHERE id > '' ORDER BY id DESC LIMIT $1::int`,
);

/** The processes of the last day that have not said goodbye: the living first, and at most `top`, the youngest of all. */
export async function listProcesses(core: Core, top = 200): Promise<ServiceProcess[]> {
  const rows = await core.database.query<ProcessRow>(list, [top]);
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

/** Forgets processes that have been gone for a day. Called by a scheduled job. */
export async function purgeProcesses(core: Core): Promise<void> {
  await core.database.query("DELETE FROM service_process WHERE id > '' AND seen_at < now() - interval '1 day'");
}
