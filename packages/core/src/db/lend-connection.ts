import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { errorOfConnecting, type PoolSettings, poolSettings, verifySettings } from './connection-settings.ts';
import type { ConnectionTurns } from './connection-turns.ts';
import { databaseErrorCode, isDatabaseUnavailable, isPlanOutdated } from './database-error.ts';

const TOO_MANY_CONNECTIONS = '53300';
export const CONNECT_MS = 5_000;
/** Retry interval while the server has no free connections. */
const FULL_MS = 50;

export function connectionOptions(url: string, settings: PoolSettings) {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'finhook',
    options: poolSettings(settings),
    verify: (client: pg.Client, done: (error?: Error) => void) => verifySettings(client, CONNECT_MS, done),
  };
}

export interface Lender {
  readonly pool: pg.Pool;
  /** Absent: first come, first served. */
  readonly turns?: ConnectionTurns | undefined;
  readonly accountId?: string | undefined;
  readonly limitMs?: number | undefined;
  /** Runs once the connection is free. An error that it throws replaces the first. */
  readonly onFailure?: ((error: unknown) => Promise<void>) | undefined;
}

/** If the server has no more connections, waits for one of the pool's. */
async function borrow(pool: pg.Pool): Promise<pg.PoolClient> {
  const giveUpAt = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      const isFull = databaseErrorCode(error) === TOO_MANY_CONNECTIONS && pool.totalCount > 0;
      if (!isFull || performance.now() > giveUpAt) throw errorOfConnecting(error);
      await delay(FULL_MS);
    }
  }
}

export async function withClient<T>(
  { pool, turns, accountId, limitMs, onFailure }: Lender,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const endTurn = await turns?.take(accountId);
  const client = await borrow(pool).catch((error: unknown) => {
    endTurn?.();
    throw error;
  });
  let isHeld = true;
  const release = (isBroken: boolean): void => {
    if (!isHeld) return;
    isHeld = false;
    client.release(isBroken);
    endTurn?.();
  };
  // Closes the connection, which fails its pending queries.
  const timer = limitMs === undefined ? undefined : setTimeout(release, limitMs, true);
  try {
    return await work(client);
  } catch (error) {
    release(isDatabaseUnavailable(error) || isPlanOutdated(error));
    await onFailure?.(error);
    throw error;
  } finally {
    clearTimeout(timer);
    release(false);
  }
}
