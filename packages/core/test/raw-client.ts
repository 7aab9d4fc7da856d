import { useOpened } from '@finhook/testing/use';
import pg from 'pg';
import { vi } from 'vitest';

/** A connection beside the core's own, to hold a transaction open. */
export async function openRawClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'test' });
  // A test may have this connection killed.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Resolves once `count` connections of the core wait for a lock. */
export async function waitForBlocked(client: pg.Client, count = 1): Promise<void> {
  await waitForCount(client, "wait_event_type = 'Lock'", (found) => found >= count);
}

/** Resolves once the core has no open transaction. */
export async function waitForIdle(client: pg.Client): Promise<void> {
  await waitForCount(client, "state <> 'idle'", (found) => found === 0);
}

async function waitForCount(client: pg.Client, condition: string, holds: (found: number) => boolean): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await client.query<{ found: number }>(
        `SELECT count(*)::int AS found FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'finhook' AND ${condition}`,
      );
      if (!holds(rows[0]?.found ?? 0)) throw new Error(`Connections with ${condition}: ${rows[0]?.found}.`);
    },
    { timeout: 10_000, interval: 3 },
  );
}

/** The connection for the tests of a file. */
export function useRawClient(fixture: { database: { url: string } }): pg.Client {
  return useOpened(
    () => openRawClient(fixture.database.url),
    (client) => client.end(),
  );
}
