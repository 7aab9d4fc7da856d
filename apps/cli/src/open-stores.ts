import { startEmbeddedPostgres } from '@finhook/embedded';
import type { DataFolder } from './data-folder.ts';
import type { LocalEnv } from './env.ts';

export interface OpenStores {
  databaseUrl: string;
  queueUrl: string;
  close: () => Promise<void>;
}

/** Opens those of the environment; by default the embedded PostgreSQL for both. */
export async function openStores(
  env: LocalEnv,
  folder: DataFolder,
  onLost: (lines: string) => void,
): Promise<OpenStores> {
  if (env.DATABASE_URL !== undefined) {
    return {
      databaseUrl: env.DATABASE_URL,
      queueUrl: env.QUEUE_URL ?? env.DATABASE_URL,
      close: async () => undefined,
    };
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: folder.postgres,
    port: 0,
    durable: true,
    onUnexpectedExit: onLost,
  });
  const databaseUrl = postgres.url('postgres');
  return { databaseUrl, queueUrl: env.QUEUE_URL ?? databaseUrl, close: postgres.stop };
}
