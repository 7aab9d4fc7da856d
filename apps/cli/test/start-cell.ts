import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, openCore } from '@finhook/core';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@finhook/embedded';
import { type ServiceProcess, secretsKey, startService } from './service-process.ts';

export interface Cell {
  readonly postgres: EmbeddedPostgres;
  readonly databaseUrl: string;
  /** With the cell's name. */
  readonly core: Core;
  readonly api: ServiceProcess;
  /** Of the api. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an installation with its own PostgreSQL, which is also its queue. */
export async function startCell(name: string, { hasWorker }: { hasWorker: boolean }): Promise<Cell> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.adopt(await mkdtemp(join(tmpdir(), `finhook-cell-${name}-`)), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const postgres = opened.adopt(
    await startEmbeddedPostgres({ dataDir: join(folder, 'data'), port: 0, durable: false }),
    (server) => server.stop(),
  );
  const databaseUrl = postgres.url('postgres');
  const options = { databaseUrl, secretsKey, allowInsecureWebhooks: true };
  const core = opened.adopt(await openCore({ ...options, cell: name }), ({ database }) => database.close());
  await core.database.migrate();
  const start = (role: 'api' | 'worker') =>
    opened.adopt(startService(role, { databaseUrl, queueUrl: databaseUrl, cell: name }), (service) => service.kill());
  const api = start('api');
  const [url] = await Promise.all([api.ready, hasWorker ? start('worker').ready : undefined]);
  const running = opened.move();
  return { postgres, databaseUrl, core, api, url, close: () => running.disposeAsync() };
}
