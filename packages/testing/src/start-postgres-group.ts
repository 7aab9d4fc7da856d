import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@finhook/embedded';

export interface PostgresGroup {
  readonly primary: EmbeddedPostgres;
  /** Streams from the primary and accepts reads. */
  readonly standby: EmbeddedPostgres;
  readonly close: () => Promise<void>;
}

export async function startPostgresGroup(): Promise<PostgresGroup> {
  const root = mkdtempSync(join(tmpdir(), `finhook-test-${process.pid}-`));
  chmodSync(root, 0o711);
  const [primaryDir, standbyDir] = [join(root, 'primary'), join(root, 'standby')];
  const settings = { wal_level: 'replica', max_wal_senders: '5' };
  const shared = { port: 0, durable: false };
  const primary = await startEmbeddedPostgres({ ...shared, dataDir: primaryDir, settings });
  // A copy of a stopped server is a base backup, and needs no pg_basebackup.
  await primary.stop();
  execFileSync('cp', ['-a', primaryDir, standbyDir]);
  writeFileSync(join(standbyDir, 'standby.signal'), '');
  await primary.restart();
  const { password } = new URL(primary.url('postgres'));
  const upstream = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`;
  const standby = await startEmbeddedPostgres({
    ...shared,
    dataDir: standbyDir,
    settings: {
      ...settings,
      primary_conninfo: upstream,
      wal_retrieve_retry_interval: '200ms',
      // Cancels a read that conflicts with the replay at once.
      max_standby_streaming_delay: '0',
    },
  });
  return {
    primary,
    standby,
    close: async () => {
      await standby.stop();
      await primary.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
