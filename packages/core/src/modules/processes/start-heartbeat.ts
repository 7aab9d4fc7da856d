import { hostname } from 'node:os';
import type { Core } from '../../kernel/context.ts';
import { announceProcess, type ProcessReport, withdrawProcess } from './service-processes.ts';

export interface HeartbeatOptions {
  readonly role: ProcessReport['role'];
  readonly version: string;
  /** A worker's requests to endpoints that are under way. */
  readonly inFlight?: () => number;
  /** The database could not be told; it is told again in five seconds. */
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

export interface Heartbeat {
  /** Says goodbye, for which it takes a second at most. */
  close(): Promise<void>;
}

const farewellMs = 1_000;

/** Tells the database now, and every five seconds, that this process is alive. */
export function startHeartbeat(core: Core, options: HeartbeatOptions): Heartbeat {
  const { role, version, onError, inFlight = () => 0, everyMs = 5_000 } = options;
  const identity = { id: core.newId('proc'), role, version, host: hostname(), pid: process.pid };
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const beat = async () => {
    const report = { uptimeMs: process.uptime() * 1000, inFlight: inFlight(), connections: core.database.usage() };
    await announceProcess(core, { ...identity, ...report }).catch(onError);
    if (!closed) timer = setTimeout(start, everyMs).unref();
  };
  let beating: Promise<void> = Promise.resolve();
  const start = () => {
    beating = beat();
  };
  start();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      const goodbye = beating.then(() => withdrawProcess(core, identity.id)).catch(onError);
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, farewellMs);
      });
      await Promise.race([goodbye, limit]);
      clearTimeout(timer);
    },
  };
}
